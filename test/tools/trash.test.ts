import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { createActivityServer } from "../../src/index.js";
import { inside } from "../cli/inside.js";

const test = suite("trash from the command line");

const BUCKET = { type: "t", client: "c", hostname: "h" };
const EVENTS = [{ timestamp: "2024-03-01", duration: { seconds: 5 } }] as const;

test("list, restore, delete and empty; what is too old goes when a server starts", () =>
  inside(async ({ path, run, start, program }) => {
    const folder = path("data");
    const server = createActivityServer({ storage: leveldb({ path: folder }) });
    for (const id of ["a", "b", "c"]) {
      await server.buckets.create(id, BUCKET, EVENTS);
      await server.buckets.delete(id);
    }
    const [third, second, first] = await server.trash.list();
    await server.close();
    const told = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await run(["trash", ...args, "--data", folder]);
      assert.is(code, 0, stderr);
      return stdout;
    };
    assert.match(await told("list"), /^\S+: \S+ the bucket was deleted: c, 1 event, 2024-03-01T.* to /);
    assert.match(await told("restore", first?.id ?? "", "--bucket", "again"), "again: 1 event restored");
    assert.match(await told("delete", second?.id ?? "", "--yes"), "deleted for good");
    assert.match(await told("list", "--json"), `"id":"${third?.id}"`);
    assert.match(await told("list", "--trash-days", "0"), "the trash is empty");

    const launched = await start(["--data", folder, "--port", "0", "--trash-days", "0"]);
    launched.kill("SIGTERM");
    await launched.ended;
    assert.match(await told("list"), "the trash is empty");
    assert.match(await told("empty", "--yes"), "0 deletions of 0 events deleted for good");

    const refused = await program.run(["trash", "restore", "x", "--data", folder]);
    assert.is(refused.code, 1);
    assert.match(refused.stderr, "the trash has no entry 'x'");
    const wrong = await run(["trash", "--data", folder]);
    assert.is(wrong.code, 2);
  }));

test.run();
