// What reads promise beyond the contract: when nothing of them may be kept, and how large their pieces are.
import { MemoryLevel } from "memory-level";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import { bucketOf, draftOf, read } from "../contract/case.js";
import { FaultyDatabase } from "./faulty-database.js";

const test = suite("leveldb reads");

test("while what a failed write has left is cleared away, there is no revision", async () => {
  const database = new FaultyDatabase();
  const storage = await leveldb({ db: database });
  await storage.createBucket(bucketOf("b"));
  await storage.putEvents("b", [draftOf(0, 1)]);
  const before = storage.revision?.("b");
  database.failWrite(1, "refused");
  const refused = storage.putEvents("b", [draftOf(10, 1)]);
  await new Promise((resolve) => process.nextTick(resolve));
  const meanwhile = storage.revision?.("b");
  assert.is.not(meanwhile, before, "memory shows it already");
  await refused.then(
    () => assert.unreachable("the write was to fail"),
    () => undefined,
  );
  assert.is(storage.revision?.("b"), undefined);
  database.repair();
  assert.is((await read(storage, "b")).length, 1);
  assert.is.not(storage.revision?.("b"), meanwhile);
  assert.type(storage.revision?.("b"), "string");
  await storage.close();
});

test("a closed storage has no revision", async () => {
  const storage = await leveldb({ db: new FaultyDatabase() });
  await storage.createBucket(bucketOf("b"));
  assert.type(storage.revision?.("b"), "string");
  await storage.close();
  assert.is(storage.revision?.("b"), undefined);
});

test("a flood of late events is read in chunks of moderate size", async () => {
  const storage = await leveldb({ db: new MemoryLevel() as unknown as FaultyDatabase });
  await storage.createBucket(bucketOf("b"));
  await storage.putEvents(
    "b",
    Array.from({ length: 600 }, (_, at) => draftOf(at * 1_000_000, 1)),
  );
  // All of them fall into one segment, so they are loose until they are folded.
  const late = 130_001;
  const written = storage.putEvents(
    "b",
    Array.from({ length: late }, (_, at) => draftOf(1_000_000 + at, 1)),
  );
  for (const way of ["readEvents", "readPrinted"] as const) {
    let count = 0;
    let largest = 0;
    for await (const chunk of storage[way]?.("b") ?? []) {
      const size = "list" in chunk ? chunk.to - chunk.from : chunk.length;
      largest = Math.max(largest, size);
      count += size;
    }
    assert.is(count, late + 600, way);
    assert.ok(largest <= 2_048, `${way}: a chunk of ${largest} events`);
  }
  await written;
  await storage.close();
});

test.run();
