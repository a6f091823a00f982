// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { collectGarbage } from "../http/garbage.js";
import { postgresGround } from "./ground.js";

const test = suite("postgres namespaces");

const ground = await postgresGround();
const COUNT = sizeOf("NAMESPACES", { short: 100, long: 1_000 });
const MAX_BYTES = 50_000;

/** Bytes of the heap that are in use. */
function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

if (ground === undefined) test("there is no PostgreSQL here", () => assert.is(process.env.CI, undefined));
else {
  const { pool, open } = ground;

  test(`${COUNT} namespaces on one pool: each sees its own, none holds a connection, and idle ones are small`, async () => {
    const use = async (name: string): Promise<Storage> => {
      const storage = open(name);
      await storage.createBucket(bucketOf("window"));
      await storage.heartbeat("window", draftOf(1, 1, name), 5);
      return storage;
    };
    const storages = [await use("user first")];
    const before = heapUsed();
    for (let from = 0; from < COUNT; from += 20) {
      const names = Array.from({ length: 20 }, (_, index) => `user ${from + index}`);
      storages.push(...(await Promise.all(names.map(use))));
      // One may be out for a statement that asks whether anybody listens; one that is held would never come back.
      while (pool.totalCount > pool.idleCount) await new Promise(setImmediate);
      assert.ok(pool.totalCount <= (pool.options.max ?? 0));
    }
    const each = (heapUsed() - before) / (storages.length - 1);
    assert.ok(each < MAX_BYTES, `${Math.round(each)} bytes each`);
    for (const [index, storage] of storages.entries()) {
      if (index % 50 !== 1) continue;
      const events = await read(storage, "window");
      assert.equal(
        events.map(({ data }) => data),
        [{ label: `user ${index - 1}` }],
      );
    }
    for (const storage of storages) await storage.close();
  });

  test("the connections of the suite end", () => ground.finish());
}

test.run();
