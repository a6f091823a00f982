import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import type { Storage } from "../../src/storage/storage.js";
import { transactOn } from "../../src/storage/transaction.js";
import { withServer } from "../harness.js";
import { codeOf } from "../refusals.js";
import { BUCKET } from "../trash/grounds.js";

const test = suite("splitting and moving while others make changes");

const EVENT = { timestamp: "2024-03-01T10:00:00Z", duration: { seconds: 60 }, data: {} } as const;

test("they begin anew, and report a conflict when there is no end to it", async () => {
  const held = memory();
  let changed = 0;
  let isCounting = false;
  const storage: Storage = {
    ...held,
    settings: held.settings,
    async transact(bucketIds, plan) {
      if (isCounting && changed-- > 0) return false;
      return transactOn(held, bucketIds, plan);
    },
  };
  await withServer({ door: "process", storage }, async ({ server }) => {
    for (const id of ["a", "b"]) await server.buckets.create(id, BUCKET);
    const { id } = await server.events.insert("a", EVENT);
    isCounting = true;
    const split = () => server.events.split("a", id as number, new Date("2024-03-01T10:00:30Z"));
    const move = () => server.events.move("a", id as number, "b");
    for (const work of [split, move]) {
      changed = 100;
      assert.is(await codeOf(work()), "CONFLICT");
      changed = 3;
      await work();
    }
    assert.is(await server.events.count("b"), 1);
  });
});

test.run();
