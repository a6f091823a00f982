// Deleted data go in the background: also while the storage is never idle, and not before the last read of them ends.
// long: 300 s
import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type LevelDatabase, leveldb } from "../../adapters/leveldb/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, idsOf, read } from "../contract/case.js";
import { sizeOf } from "../faults/sizes.js";
import { MOVING_FILES, withFolder } from "./folder.js";
import { until } from "./until.js";

const test = suite("deleted bucket");

const EVENTS = sizeOf("DELETED_EVENTS", { short: 16_000, long: 40_000 });
/** More than the clearing needs by far; without a limit a failure would never end. */
const MAX_ROUNDS = 4_000;

interface Bench {
  readonly level: MemoryLevel<string, Uint8Array>;
  readonly storage: Storage;
}

async function filled(): Promise<Bench> {
  const level = new MemoryLevel<string, Uint8Array>({ valueEncoding: "view" });
  const storage = leveldb({ db: level as unknown as LevelDatabase });
  for (const id of ["busy", "old"]) await storage.createBucket(bucketOf(id));
  await storage.putEvents(
    "old",
    Array.from({ length: EVENTS }, (_, index) => draftOf(index * 10, 5, index)),
  );
  return { level, storage };
}

/** Keys of segments and their entries. */
async function segmentKeys({ level }: Bench): Promise<string[]> {
  return [...(await level.keys({ gte: "d!", lt: 'd"' }).all()), ...(await level.keys({ gte: "g!", lt: 'g"' }).all())];
}

/** Writes and reads without a pause until a condition holds. @returns how many writes there were */
async function loadUntil(bench: Bench, isOver: () => Promise<boolean>): Promise<number> {
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const at = round * 100;
    await Promise.all([
      ...[0, 20, 40].map((more) => bench.storage.heartbeat("busy", draftOf(at + more, 1, round + more), 0)),
      bench.storage.countEvents("busy", { start: at - 500 }),
      new Promise((resolve) => setTimeout(resolve, 1)),
    ]);
    if (await isOver()) return round * 3;
  }
  assert.unreachable("it has not ended under load");
  return 0;
}

test("its segments go while others write without a pause", async () => {
  const bench = await filled();
  const before = new Set(await segmentKeys(bench));
  assert.ok(before.size >= 2 * Math.floor(EVENTS / 1_536), `${before.size} keys`);
  await bench.storage.deleteBucket("old");
  const writes = await loadUntil(bench, async () => !(await segmentKeys(bench)).some((key) => before.has(key)));
  assert.is(await bench.storage.countEvents("busy"), writes);
  assert.equal((await bench.storage.verify()).problems, []);
  await bench.storage.close();
});

test("a read under way goes on to its end, then its segments go", async () => {
  const bench = await filled();
  const before = new Set(await segmentKeys(bench));
  const { batches } = await bench.storage.read("old", { order: "oldest" });
  const seen: number[] = [];
  for await (const batch of batches) {
    if (seen.length === 0) await bench.storage.deleteBucket("old");
    seen.push(...idsOf(batch.events()));
    await bench.storage.heartbeat("busy", draftOf(seen.length * 10, 1, seen.length), 0);
  }
  assert.is(seen.length, EVENTS);
  assert.is(new Set(seen).size, EVENTS);
  await loadUntil(bench, async () => !(await segmentKeys(bench)).some((key) => before.has(key)));
  await bench.storage.close();
});

test("a deletion cut off by the end of the process is taken up by the next opening", async () => {
  const bench = await filled();
  const before = new Set(await segmentKeys(bench));
  await bench.storage.deleteBucket("old");
  await bench.storage.createBucket(bucketOf("old"));
  await bench.storage.putEvents("old", [draftOf(1)]);
  await bench.storage.close();
  assert.ok(
    (await segmentKeys(bench)).some((key) => before.has(key)),
    "closing does not wait for it",
  );
  const storage = leveldb({ db: bench.level as unknown as LevelDatabase });
  await storage.ready();
  const again = { level: bench.level, storage };
  await loadUntil(again, async () => !(await segmentKeys(again)).some((key) => before.has(key)));
  assert.is((await read(storage, "old")).length, 1);
  assert.equal((await storage.verify()).problems, []);
  await storage.close();
});

test("segments that are dropped while they are verified are no orphans", async () => {
  const bench = await filled();
  const { level, storage } = bench;
  const { batches } = await storage.read("old", { order: "oldest" });
  const reading = batches[Symbol.asyncIterator]();
  await reading.next();
  await storage.deleteBucket("old");
  const before = await segmentKeys(bench);
  // Their entries go first; the segments wait for the read.
  await loadUntil(bench, async () => (await segmentKeys(bench)).length === before.length / 2);
  const keys = level.keys.bind(level);
  let listed = false;
  level.keys = ((options: object) => {
    const iterator = keys(options as never);
    const nextv = iterator.nextv.bind(iterator);
    iterator.nextv = (async (size: number) => {
      const found = await nextv(size);
      if (found.length > 0 && !listed) {
        listed = true;
        await reading.return?.();
        level.keys = keys;
        await loadUntil(bench, async () => (await segmentKeys(bench)).length === 0);
      }
      return found;
    }) as typeof iterator.nextv;
    return iterator;
  }) as typeof level.keys;
  assert.equal((await storage.verify()).problems, []);
  assert.ok(listed);
  await storage.close();
});

/** Bytes of the files with data. One that goes meanwhile counts as nothing. */
async function bytesOf(folder: string): Promise<number> {
  const names = (await fs.readdir(folder, { recursive: true })).filter(
    (name) => !MOVING_FILES.has(path.basename(name)),
  );
  const sizes = names.map(async (name) => {
    const entry = await fs.stat(path.join(folder, name)).catch(() => undefined);
    return entry?.isFile() ? entry.size : 0;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

test("its folder gets smaller by what it held", async () => {
  // LevelDB leaves less than a few megabytes where they are.
  const count = 40_000;
  await withFolder(async (folder) => {
    const storage = leveldb({ path: folder });
    for (const id of ["kept", "old"]) {
      await storage.createBucket(bucketOf(id));
      const drafts = Array.from({ length: count }, (_, index) => draftOf(index * 10, 5));
      await storage.putEvents(
        id,
        drafts.map((draft) => ({ ...draft, data: { title: randomBytes(30).toString("base64") } })),
      );
    }
    const before = await bytesOf(folder);
    assert.ok(before > 2 * 30 * count, "what is random cannot be compressed");
    await storage.deleteBucket("old");
    let after = before;
    await until(
      async () => {
        after = await bytesOf(folder);
        return after < 0.6 * before;
      },
      () => `${after} bytes of ${before} are left`,
    );
    assert.is(await storage.countEvents("kept"), count);
    await storage.close();
  });
});

test.run();
