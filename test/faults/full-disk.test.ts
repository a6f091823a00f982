// long: 2400 s
import "./memory-disk.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { objectOf } from "./ledger.js";
import { withRig } from "./rig.js";
import { canInject } from "./shim.js";
import { partOfDay, sizeOf } from "./sizes.js";
import { canBring, fill, onSmallDisk, type Trouble } from "./trouble.js";
import { playAll } from "./trouble-series.js";
import { fullDisks, realFaults } from "./troubles.js";

const test = suite("full disk");

const EVERY = sizeOf("EVERY_TROUBLE", { short: 64, long: 1 });

const BUCKET = { type: "t", client: "c", hostname: "h" };

function some(troubles: readonly Trouble[]): readonly Trouble[] {
  return partOfDay(troubles, 2).filter((_, index) => index % EVERY === 0);
}

if (await canInject()) {
  playAll(test, some(fullDisks()), "refuse");
}
if (await canBring("file size limit")) playAll(test, some(realFaults("file size limit")), "refuse");
// Backwards, so that a sample of it is in another mode and ends otherwise.
if (await canBring("small disk")) playAll(test, some(realFaults("small disk").reverse()), "refuse");

if (await canBring("small disk")) {
  test("a start on a full disk serves reads, or says that there is no space", () =>
    withRig(async ({ disk, startPlain }) => {
      await onSmallDisk(disk, async () => {
        const server = await startPlain();
        assert.is((await server.api.request("POST", "buckets/b", BUCKET))?.status, 200);
        await server.kill();
        await fill(disk);
        const again = await startPlain().catch((error: Error) => error);
        if (again instanceof Error) {
          assert.match(again.message, /no space/i);
          assert.not.match(again.message, /permission/i);
          return;
        }
        assert.equal(Object.keys(objectOf(await again.api.get("buckets/"))), ["b"]);
        await again.stop();
      });
    }));
}

test("this platform was asked what it can", () => {});

test.run();
