// Deletions of whole buckets past the trash: the bucket and what is kept beside it go in one step.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { memory } from "../../adapters/memory.js";
import { ActivityError, storageFull } from "../../src/errors.js";
import { type ActivityServer, createActivityServer } from "../../src/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { atEachCall, Interposed } from "../care/interposed.js";
import { withServer } from "../harness.js";
import { withRecords } from "../overridden-records.js";
import { codeOf, refusalOf } from "../refusals.js";
import { BUCKET } from "./grounds.js";

const test = suite("buckets deleted for good");

const BESIDE = ["bucket-access", "privacy"];
const WAYS: Readonly<Record<string, (storage: Storage) => ActivityServer>> = {
  "past the trash": (storage) => createActivityServer({ storage }),
  "without a trash": (storage) => createActivityServer({ storage, trashDays: 0 }),
};
const PERMANENT = { permanent: true };

async function protectedBucket(server: ActivityServer, storage: Storage, bucketId: string): Promise<void> {
  await server.buckets.create(bucketId, BUCKET);
  await server.buckets.setAccess(bucketId, "append-only");
  await storage.records("privacy").compareAndSet(bucketId, undefined, [3]);
}

/** A storage that is full for what is kept beside a bucket, other than in a transaction. */
function fullBeside(storage: Storage): Storage {
  return withRecords(storage, BESIDE, () => ({ compareAndSet: () => Promise.reject(storageFull()) }));
}

for (const [way, open] of Object.entries(WAYS)) {
  test(`${way}: what is kept beside a bucket goes in the same step`, async () => {
    const held = memory();
    const server = open(fullBeside(held));
    await protectedBucket(server, held, "b");
    const told: string[] = [];
    server.on("bucket", ({ action, bucketId }) => told.push(`${action} ${bucketId}`));
    assert.equal(await server.buckets.delete("b", PERMANENT), { entry: null });
    assert.equal(told, ["deleted b"]);
    for (const kind of BESIDE) assert.is(await held.records(kind).get("b"), undefined);
    await server.buckets.create("b", BUCKET);
    assert.is(await server.buckets.getAccess("b"), "open");
    await server.close();
  });

  test(`${way}: a bucket that is made anew in the meantime keeps its own access and private times`, async () => {
    const storage = memory();
    const interposed = new Interposed(storage);
    const [server, other] = [open(interposed.storage), open(storage)];
    let turn = 0;
    let isAnew = false;
    await atEachCall(interposed, async (meanwhile) => {
      const bucketId = `bucket-${++turn}`;
      await protectedBucket(other, storage, bucketId);
      await meanwhile(
        () => server.buckets.delete(bucketId, PERMANENT),
        async () => {
          isAnew = (await storage.getBucket(bucketId)) === undefined;
          if (isAnew) await protectedBucket(other, storage, bucketId);
        },
      );
      const values = await Promise.all(BESIDE.map((kind) => storage.records(kind).get(bucketId)));
      assert.equal(values, isAnew ? ["append-only", [3]] : [undefined, undefined]);
      if (isAnew) assert.is(await server.buckets.getAccess(bucketId), "append-only");
    });
    assert.ok(isAnew);
    for (const each of [server, other]) await each.close();
  });
}

test("a failure behind the deletion leaves nothing of the bucket known to the server", async () => {
  const held = memory();
  const eraseDeleted = () => Promise.reject(new ActivityError("STORAGE_FAILED", "no"));
  await withServer(
    { door: "process", storage: { ...held, settings: held.settings, eraseDeleted } },
    async ({ server }) => {
      await protectedBucket(server, held, "b");
      assert.is(await server.buckets.getAccess("b"), "append-only");
      assert.match(await refusalOf(server.buckets.delete("b", PERMANENT)), /: it is deleted, but/);
      await server.buckets.create("b", BUCKET);
      assert.is(await server.buckets.getAccess("b"), "open");
    },
  );
});

test("in a storage without transactions the deletion is told before what can fail behind it", async () => {
  const held = memory();
  const { transact: _, ...storage } = fullBeside(held);
  await withServer({ door: "process", storage, buckets: ["b"] }, async ({ server }) => {
    await held.records("privacy").compareAndSet("b", undefined, [3]);
    const told: string[] = [];
    server.on("bucket", ({ action }) => told.push(action));
    const code = await codeOf(server.buckets.delete("b", PERMANENT));
    assert.equal([code, told], ["STORAGE_FULL", ["deleted"]]);
  });
});

test("a bucket that is not there is none", () =>
  withServer({ door: "process" }, async ({ server }) => {
    const code = await codeOf(server.buckets.delete("b", PERMANENT));
    assert.is(code, "NO_SUCH_BUCKET");
  }));

test("a permanent deletion that a full disk refuses reports that nothing was deleted", async () => {
  const full = () => Promise.reject(storageFull());
  for (const hasTransactions of [true, false]) {
    const held = memory();
    const before = createActivityServer({ storage: held });
    await before.buckets.create("b", BUCKET);
    const { id } = await before.events.insert("b", { timestamp: "2024-03-01", data: {} });
    await before.buckets.create("trashed", BUCKET);
    const { entry: entryId } = await before.buckets.delete("trashed");
    const { transact: _, ...rest } = held;
    const refusing = { ...rest, settings: held.settings, deleteBucket: full, deleteEvents: full };
    await withServer(
      { door: "process", storage: hasTransactions ? { ...refusing, transact: full } : refusing },
      async ({ server }) => {
        const deletions: Array<() => Promise<unknown>> = [
          () => server.buckets.delete("b", PERMANENT),
          () => server.events.delete("b", id ?? 0, PERMANENT),
        ];
        if (hasTransactions) deletions.push(() => server.trash.delete(entryId ?? ""));
        for (const deletion of deletions) {
          assert.match(await refusalOf(deletion()), /^STORAGE_FULL: .*nothing was deleted/, `${deletion}`);
        }
      },
    );
  }
});

test.run();
