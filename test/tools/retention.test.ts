import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { createActivityServer } from "../../src/index.js";
import { inside } from "../cli/inside.js";

const test = suite("retention from the command line");

test("preview counts, run deletes, log tells", () =>
  inside(async ({ path, run, program }) => {
    const folder = path("data");
    const server = createActivityServer({ storage: leveldb({ path: folder }) });
    await server.buckets.create("b", { type: "t", client: "c", hostname: "h" }, [
      { timestamp: "2001-01-01", duration: { seconds: 5 } },
      { timestamp: new Date(), duration: { seconds: 5 } },
    ]);
    await server.settings.put("retention_rules", [{ buckets: "*", keepDays: 365 }]);
    await server.close();
    for (const [action, line] of [
      ["log", /^$/],
      ["preview", /^b: 1 too old$/m],
      ["run", /^b: 1 too old$/m],
      ["run", /nothing to do/],
      ["log", /^\S+ b: 1 too old$/m],
    ] as const) {
      const { code, stdout } = await run(["retention", action, "--data", folder]);
      assert.is(code, 0, action);
      assert.match(stdout, line, action);
    }
    const refused = await program.run(["retention", "--data", folder]);
    assert.is(refused.code, 2);
    assert.match(refused.stderr, /usage: activity-server retention preview/);
  }));

test.run();
