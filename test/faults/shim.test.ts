import { readFileSync } from "node:fs";
import "./memory-disk.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { listing } from "../adapters/folder.js";
import { Disk } from "./disk.js";
import { withRig } from "./rig.js";
import { canInject } from "./shim.js";
import { parseTrace } from "./trace.js";

const test = suite("fault injection");

if (await canInject()) {
  test("a trace holds everything that the launcher did: played again, it makes the same folder", () =>
    withRig(async ({ disk, shim, start, workshop }) => {
      const server = await start();
      const bucket = { type: "t", client: "c", hostname: "h" };
      assert.is((await server.api.request("POST", "buckets/b", bucket))?.status, 200);
      for (let n = 0; n < 40; n++) {
        const events = Array.from({ length: 200 }, (_, index) => {
          return { timestamp: new Date(1.7e12 + 1e6 * n + index).toISOString(), duration: 1, data: { n, index } };
        });
        assert.is((await server.api.request("POST", "buckets/b/events", events))?.status, 200);
      }
      await server.stop();
      const again = await start();
      await again.api.request("DELETE", "buckets/b?force=1");
      await again.stop();
      const played = new Disk(disk);
      const steps = parseTrace(readFileSync(shim.trace.file));
      for (const step of steps) played.play(step);
      played.leave("everything", Math.random, workshop.path("copy"));
      assert.equal(await listing(workshop.path("copy")), await listing(disk));
      assert.ok(steps.some(({ kind }) => kind === "sync"));
    }));
}

test("this platform was asked what it can", () => {});

test.run();
