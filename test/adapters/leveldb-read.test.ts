// What reads promise beyond the contract: that a closed storage has no version, and how large their batches are.
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type LevelDatabase, leveldb } from "../../adapters/leveldb/index.js";
import { bucketOf, draftOf } from "../contract/case.js";

const test = suite("leveldb reads");

const database = (): LevelDatabase => new MemoryLevel() as unknown as LevelDatabase;

test("a closed storage has no version", async () => {
  const storage = leveldb({ db: database() });
  await storage.createBucket(bucketOf("b"));
  const [open] = (await storage.versions?.(["b"])) ?? [];
  assert.type(open, "string");
  await storage.close();
  assert.equal(await storage.versions?.(["b"]), [undefined]);
});

test("a flood of late events is read in batches of moderate size", async () => {
  const storage = leveldb({ db: database() });
  await storage.createBucket(bucketOf("b"));
  await storage.putEvents(
    "b",
    Array.from({ length: 600 }, (_, at) => draftOf(at * 1_000_000, 1)),
  );
  // All of them fall into one segment.
  const late = 130_001;
  await storage.putEvents(
    "b",
    Array.from({ length: late }, (_, at) => draftOf(1_000_000 + at, 1)),
  );
  let count = 0;
  let largest = 0;
  for await (const batch of (await storage.read("b")).batches) {
    largest = Math.max(largest, batch.length);
    count += batch.length;
  }
  assert.is(count, late + 600);
  assert.ok(largest <= 2_048, `a batch of ${largest} events`);
  await storage.close();
});

test.run();
