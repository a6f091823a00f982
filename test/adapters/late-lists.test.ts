// Lists of late events around stored segments: a watcher that was offline sends what it kept.
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import type { StoredEvent } from "../../src/domain/event.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, idsOf, read } from "../contract/case.js";
import { until } from "./until.js";

const test = suite("lists of late events");

const SECOND = 1_000_000;

function listAt(seconds: number, count: number): { timestamp: number; duration: number; data: { from: number } }[] {
  return Array.from({ length: count }, (_, index) => ({
    timestamp: seconds * SECOND + index * 1_000,
    duration: 500,
    data: { from: seconds },
  }));
}

async function segmentsOf(db: MemoryLevel): Promise<number> {
  return (await db.keys({ gte: "g!", lt: 'g"' }).all()).length;
}

test("one flush may replace a segment by several and add others before and after it", async () => {
  const db = new MemoryLevel();
  const open = (): Storage => leveldb({ db: db as never });
  let storage = open();
  await storage.createBucket(bucketOf("window"));
  const expected: StoredEvent[] = [];
  const put = async (seconds: number, count: number): Promise<void> => {
    expected.push(...(await storage.putEvents("window", listAt(seconds, count))));
  };
  await put(10_000, 600);
  await put(20_000, 600);
  assert.is(await segmentsOf(db), 2);
  await put(5_000, 300);
  await put(20_000.5, 400);
  await put(30_000, 400);
  await until(
    async () => (await segmentsOf(db)) > 2,
    () => "the flush of late events",
  );
  const compare = async (): Promise<void> => {
    expected.sort((a, b) => a.timestamp - b.timestamp || a.id - b.id);
    assert.equal(await read(storage, "window", { order: "oldest" }), expected);
    for (const [start, end] of [
      [0, 6_000],
      [9_999, 10_001],
      [20_000, 20_001],
      [25_000, 40_000],
    ] as const) {
      const range = { start: start * SECOND, end: end * SECOND };
      const wanted = expected.filter(({ timestamp }) => timestamp >= range.start && timestamp <= range.end);
      assert.equal(await read(storage, "window", { ...range, order: "oldest" }), wanted);
      assert.is(await storage.countEvents("window", range), wanted.length);
    }
    assert.equal((await storage.verify()).problems, []);
  };
  await compare();
  const gone = expected.filter((_, index) => index % 7 === 0);
  assert.is(await storage.deleteEvents("window", idsOf(gone)), gone.length);
  for (const event of gone) expected.splice(expected.indexOf(event), 1);
  await compare();
  await storage.close();
  storage = open();
  await compare();
  await storage.close();
});

test.run();
