// Lists that are read from bytes come with columns. They are stored and sent as lists without them.
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { parseRepeatedEvents } from "../../src/codec/repeated-events.js";
import { serializeList } from "../../src/codec/serialize-events.js";
import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import { batchOf } from "../../src/domain/list-batch.js";
import { microsToSeconds, serializeTimestamp } from "../../src/domain/time.js";
import { bucketOf } from "../contract/case.js";

const test = suite("lists with columns");

const SECOND = 1_000_000;

function listOf(count: number, secondsAt: (index: number) => number, width = 1): EventDraft[] {
  return Array.from({ length: count }, (_, index) => ({
    timestamp: 1_700_000_000 * SECOND + secondsAt(index) * SECOND,
    duration: (index % 5) * 500_000,
    data: { app: "ü".repeat(width), title: `${index % 70}` },
  }));
}

/** In the order in which a bucket gets them. */
const LISTS: Readonly<Record<string, readonly EventDraft[]>> = {
  "several segments": listOf(2_500, (index) => index),
  "newer events": listOf(1_000, (index) => 3_000 + index),
  "events that start at the newest one": listOf(600, (index) => 3_999 + index / 1_000),
  "events in no order": listOf(700, (index) => 5_000 + ((index * 7) % 700)),
  "older events": listOf(600, (index) => index + 0.5),
  "few events": listOf(100, (index) => 9_000 + index),
  "events with the same time": listOf(600, () => 10_000),
  "a gap of a century": listOf(600, (index) => 20_000 + (index > 300 ? 3e9 : 0) + index),
  "more data than a segment has": listOf(600, (index) => 3.1e9 + index, 1_200),
};

function bytesOf(list: readonly EventDraft[]): Uint8Array {
  const events = list.map(({ timestamp, duration, data }) => {
    return { timestamp: serializeTimestamp(timestamp), duration: microsToSeconds(duration), data };
  });
  return new TextEncoder().encode(JSON.stringify(events));
}

function sent({ id, timestamp, duration, data }: StoredEvent): object {
  return { id, timestamp: serializeTimestamp(timestamp), duration: microsToSeconds(duration), data };
}

test("lists with columns are stored as the same bytes as lists without, and sent as the same", async () => {
  const databases = [new MemoryLevel<string, string>(), new MemoryLevel<string, string>()] as const;
  const storages = databases.map((db) => leveldb({ db: db as never }));
  for (const storage of storages) await storage.createBucket(bucketOf("window"));
  for (const [what, list] of Object.entries(LISTS)) {
    const read = parseRepeatedEvents(bytesOf(list)) as EventDraft[];
    assert.equal(read, list);
    assert.ok(batchOf(read), what);
    const [stored, plain] = await Promise.all([
      storages[0]?.putEvents("window", read),
      storages[1]?.putEvents("window", list),
    ]);
    assert.equal(stored, plain, what);
    assert.ok(batchOf(stored as StoredEvent[]), what);
    const response = Buffer.concat(await serializeList(stored as StoredEvent[])).toString();
    assert.is(response, JSON.stringify((plain as StoredEvent[]).map(sent)), what);
  }
  for (const storage of storages) assert.equal((await storage.verify?.())?.problems, []);
  for (const storage of storages) await storage.close();
  // The segments and their entries.
  for (const range of [
    { gte: "d!", lt: "e" },
    { gte: "g!", lt: "h" },
  ]) {
    const [first, second] = await Promise.all(
      databases.map((db) => db.iterator({ ...range, valueEncoding: "hex" }).all()),
    );
    assert.ok((first as unknown[]).length >= 10);
    assert.equal(first, second);
  }
});

test.run();
