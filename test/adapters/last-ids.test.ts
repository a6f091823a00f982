import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { memory } from "../../adapters/memory.js";
import { COUNTED_IDS_END } from "../../src/domain/event.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, idsOf, read } from "../contract/case.js";

const test = suite("ids near the end of their range");

/** Brings ids that lie where the counter does not follow, and pushes the counter up to them. */
async function pushTheCounter(storage: Storage): Promise<number[]> {
  await storage.createBucket(bucketOf("window"));
  const ids = [COUNTED_IDS_END, COUNTED_IDS_END + 1, COUNTED_IDS_END - 1];
  for (const [time, id] of ids.entries()) await storage.putEvents("window", [{ ...draftOf(time), id }]);
  return ids;
}

async function addNew(storage: Storage, time: number): Promise<number[]> {
  const stored = await storage.putEvents("window", [draftOf(time), draftOf(time + 1)]);
  const beat = await storage.heartbeat("window", draftOf(time + 2, 0, `beat ${time}`), 0);
  return [...idsOf(stored), beat.id];
}

test("new events never take the place of those that callers numbered so, in memory", async () => {
  const storage = memory();
  const ids = [...(await pushTheCounter(storage)), ...(await addNew(storage, 10))];
  assert.is(new Set(ids).size, ids.length, `${ids}`);
  assert.equal(idsOf(await read(storage, "window", { order: "oldest" })), ids);
});

test("new events never take the place of those that callers numbered so, on LevelDB and after a reopening", async () => {
  const db = new MemoryLevel<string, string>();
  const first = leveldb({ db: db as never });
  const ids = [...(await pushTheCounter(first)), ...(await addNew(first, 10))];
  await first.close();
  const second = leveldb({ db: db as never });
  ids.push(...(await addNew(second, 20)));
  assert.is(new Set(ids).size, ids.length, `${ids}`);
  assert.equal(idsOf(await read(second, "window", { order: "oldest" })), ids);
  await second.close();
});

test.run();
