// A segment whose bytes have changed: it fails the reads that need it, is reported, and stops nothing else.
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type LevelDatabase, leveldb } from "../../adapters/leveldb/index.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, drain, read } from "../contract/case.js";

const test = suite("damaged segment");

const EVENTS = 6_000;
/** Lies in the first segment. */
const LATE = 505;
/** Of the new events: far behind all segments. */
const NEW = 10_000_000;

interface Bench {
  readonly storage: Storage;
  /** What the storage reported. */
  readonly reports: readonly string[];
  /** Closes the storage and opens its data again. */
  reopen(): Promise<Bench>;
}

/** A storage with segments, the first of which has one bit that is not as it was written. */
async function damaged(): Promise<Bench> {
  const level = new MemoryLevel<string, Uint8Array>({ valueEncoding: "view" });
  const first = opened(level);
  await first.storage.createBucket(bucketOf("window"));
  await first.storage.createBucket(bucketOf("afk"));
  const drafts = Array.from({ length: EVENTS }, (_, index) => draftOf(index * 10, 5, index % 7));
  await first.storage.putEvents("window", drafts);
  await first.storage.putEvents("afk", drafts.slice(0, 2_000));
  await first.storage.close();
  const [entry] = await level.iterator({ gte: "d!", lt: 'd"', limit: 1 }).all();
  const [key, bytes] = entry as [string, Uint8Array];
  const changed = Uint8Array.from(bytes, (byte, at) => (at === bytes.length >> 1 ? byte ^ 1 : byte));
  await level.put(key, changed);
  return opened(level);
}

function opened(level: MemoryLevel<string, Uint8Array>): Bench {
  const reports: string[] = [];
  const report = (said: unknown): void => void reports.push(String(said));
  const logger = { info: () => undefined, warn: report, error: report };
  const storage = leveldb({ db: level as unknown as LevelDatabase, cacheBytes: 0, logger });
  const reopen = async (): Promise<Bench> => {
    await storage.close();
    return opened(level);
  };
  return { storage, reports, reopen };
}

async function expectCorrupt(call: () => Promise<unknown>, what: string): Promise<void> {
  const [outcome] = await Promise.allSettled([call()]);
  assert.is(outcome.status, "rejected", `${what} was answered`);
  const error: unknown = (outcome as PromiseRejectedResult).reason;
  assert.ok(ActivityError.is(error) && error.code === "STORAGE_CORRUPT", `${what}: ${error}`);
  assert.match(error.message, /'window'.*1970-01-01T00:00:00/, "it names the bucket and the time");
}

/** Reads that need the damaged segment are refused, all others are answered. */
async function expectRest({ storage }: Bench, newer: number): Promise<void> {
  await expectCorrupt(() => read(storage, "window"), "a read of all");
  await expectCorrupt(() => read(storage, "window", { end: 2_000 }), "a read of its time");
  await expectCorrupt(() => storage.countEvents("window", { start: 777, end: 1_111 }), "a count of a part of its time");
  await expectCorrupt(() => storage.deleteEvents("window", [3]), "a deletion of one of its events");
  const rest = await read(storage, "window", { start: 40_000, end: 59_990 });
  assert.is(rest.length, 2_000);
  assert.is((await read(storage, "window", { start: NEW })).length, newer, "new events");
  assert.is((await read(storage, "window", { limit: 10 })).length, 10, "the newest");
  assert.is((await read(storage, "afk")).length, 2_000, "another bucket");
}

test("its bucket stays writable through a late event and 16,383 beats, and the damage is reported", async () => {
  let bench = await damaged();
  const { storage } = bench;
  const [late] = await storage.putEvents("window", [draftOf(LATE, 1, "late")]);
  for (let beat = 0; beat < 16_383; ) {
    // As many at once as watchers would send while the disk is slow.
    const calls = Array.from({ length: Math.min(256, 16_383 - beat) }, () => {
      const at = beat++;
      return storage.heartbeat("window", draftOf(NEW + at * 10, 1, at), 0);
    });
    await Promise.all(calls);
  }
  await expectRest(bench, 16_383);
  const isReported = (said: string): boolean => said.includes("'window'") && /damaged|checksum/.test(said);
  assert.ok(bench.reports.some(isReported), `reported: ${bench.reports.join("\n")}`);
  assert.is((await storage.health?.())?.state, "degraded");
  const { problems } = await storage.verify();
  assert.equal(
    problems.map(({ kind, bucketId }) => [kind, bucketId]),
    [["damaged", "window"]],
  );
  bench = await bench.reopen();
  await expectRest(bench, 16_383);
  assert.equal(await bench.storage.getEvent("window", late?.id ?? 0), late, "the late event");
  await bench.storage.putEvents("window", [draftOf(NEW * 2)]);
  await expectRest(bench, 16_384);
  await bench.storage.close();
});

test("late events that belong into it are kept, puts and edits elsewhere go on", async () => {
  let bench = await damaged();
  const drafts = Array.from({ length: 3_000 }, (_, index) => draftOf(LATE + index, 0, "late"));
  const stored: StoredEvent[] = [];
  for (let at = 0; at < drafts.length; at += 300) {
    stored.push(...(await bench.storage.putEvents("window", drafts.slice(at, at + 300))));
    await bench.storage.heartbeat("window", draftOf(NEW + at * 10, 1, at), 0);
  }
  await bench.storage.putEvents("window", [{ ...draftOf(50_000, 3, "edited"), id: 5_001 }]);
  assert.is(await bench.storage.deleteEvents("window", [5_002]), 1);
  bench = await bench.reopen();
  assert.equal((await bench.storage.getEvent("window", 5_001))?.data, { label: "edited" });
  assert.is(await bench.storage.getEvent("window", 5_002), undefined);
  for (const event of stored) assert.equal(await bench.storage.getEvent("window", event.id), event, "a late event");
  assert.is((await bench.storage.verify()).problems.length, 1);
  assert.ok(await bench.storage.deleteBucket("window"), "its bucket can be deleted");
  assert.equal((await bench.storage.verify()).problems, []);
  await bench.storage.close();
});

test("a read that comes upon it rejects, and has given nothing of it", async () => {
  const { storage } = await damaged();
  const { batches } = await storage.read("window", { order: "newest" });
  let seen = 0;
  let failure: unknown;
  try {
    for await (const batch of batches) {
      for (const event of batch.events()) assert.is(event.data["label"], (event.timestamp / 10) % 7, "what it gives");
      seen += batch.length;
    }
  } catch (thrown) {
    failure = thrown;
  }
  assert.ok(ActivityError.is(failure) && failure.code === "STORAGE_CORRUPT", String(failure));
  assert.ok(seen < EVENTS);
  await storage.close();
});

test("a backup of a damaged storage fails instead of leaving something out", async () => {
  const { storage } = await damaged();
  const [outcome] = await Promise.allSettled([
    (async () => {
      let events = 0;
      for await (const item of storage.backup()) if (item.kind === "events") events += item.batch.length;
      return events;
    })(),
  ]);
  assert.is(outcome.status, "rejected");
  assert.is((await drain((await storage.read("afk")).batches)).length, 2_000);
  await storage.close();
});

test.run();
