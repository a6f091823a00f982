import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage.js";
import { bucketOf, draftOf, idsOf, read } from "../contract/case.js";
import { Reference } from "../contract/reference.js";
import { expectSame } from "./fault-script.js";
import { FaultyDatabase } from "./faulty-database.js";

const test = suite("leveldb: faults of reading and recovering");

interface Bench {
  readonly database: FaultyDatabase;
  readonly storage: Storage;
  readonly reference: Reference;
}

/** Runs a body on a storage with 3,000 sealed events and no cache. */
async function withStorage(body: (bench: Bench) => Promise<void>): Promise<void> {
  const database = new FaultyDatabase();
  const storage = await leveldb({ db: database, cacheBytes: 0 });
  const reference = new Reference();
  try {
    for (const id of ["window", "afk"]) {
      await storage.createBucket(bucketOf(id));
      reference.createBucket(bucketOf(id));
    }
    const drafts = Array.from({ length: 3_000 }, (_, index) => draftOf(index * 10, 5, index % 9));
    reference.putEvents("window", drafts, idsOf(await storage.putEvents("window", drafts)));
    await body({ database, storage, reference });
  } finally {
    database.repair();
    await storage.close();
  }
}

async function refused(call: Promise<unknown>, what: string): Promise<boolean> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome === undefined) return false;
  assert.ok(ActivityError.is(outcome), `${what} failed with ${outcome}`);
  assert.is(outcome.code, "STORAGE_FAILED", `${what}: ${outcome.message}`);
  return true;
}

/** Calls that may have to read sealed events. All of them can be made again. */
const READING: Readonly<Record<string, (storage: Storage) => Promise<unknown>>> = {
  "a read of all": (storage) => read(storage, "window"),
  "a read of a range": (storage) => read(storage, "window", { start: 100, end: 20_000, order: "oldest" }),
  "a read with a limit": (storage) => read(storage, "window", { end: 15_000, limit: 5 }),
  "a count of a range": (storage) => storage.countEvents("window", { start: 777, end: 22_222 }),
  "a lookup": (storage) => storage.getEvent("window", 1_234),
  "an edit": (storage) => storage.putEvents("window", [{ ...draftOf(11, 1, "edited"), id: 5 }]),
  "edits here and there": (storage) =>
    storage.putEvents(
      "window",
      [10, 1_500, 2_900].map((id) => ({ ...draftOf(id * 10, 1, "edited"), id })),
    ),
  "a deletion": (storage) => storage.deleteEvents("window", [20, 1_700, 2_800]),
};

test("every read fails once: the call is refused and changes nothing, the next one works", () =>
  withStorage(async ({ database, storage, reference }) => {
    let points = 0;
    for (const [what, call] of Object.entries(READING)) {
      for (let nth = 1; ; nth++) {
        database.failRead(nth);
        const failed = database.failed;
        const wasRefused = await refused(call(storage), what);
        assert.is(wasRefused, database.failed > failed, `${what}, read ${nth}: refused exactly when a read failed`);
        database.repair();
        if (!wasRefused) break;
        points++;
        await expectSame(storage, reference, `${what}, read ${nth}`);
      }
      // The last round was not refused: what it wrote is taken over.
      for (const event of reference.sorted("window")) {
        const now = await storage.getEvent("window", event.id);
        if (now === undefined) reference.deleteEvents("window", [event.id]);
        else if (now.timestamp !== event.timestamp || now.duration !== event.duration) {
          reference.putEvents("window", [now], [now.id]);
        }
      }
    }
    console.log(`fault injection, reads: ${points} points`);
    assert.ok(points >= 10, `only ${points} points`);
  }));

test("a heartbeat that must read its partner and cannot is refused; the next one merges", () =>
  withStorage(async ({ database, storage }) => {
    const newest = await read(storage, "window", { limit: 1_500 });
    const partner = newest.pop() as StoredEvent;
    await storage.deleteEvents("window", idsOf(newest));
    const beat = { timestamp: partner.timestamp + 6, duration: 1, data: partner.data };
    database.failRead(1);
    await refused(storage.heartbeat("window", beat, 10), "a heartbeat");
    database.repair();
    const merged = await storage.heartbeat("window", beat, 10);
    assert.equal([merged.id, merged.duration], [partner.id, 7]);
    assert.is(await storage.countEvents("window"), 1_501);
  }));

test("a failed write and failed reads behind it: refusals until both are over, then all is as acknowledged", () =>
  withStorage(async ({ database, storage, reference }) => {
    for (let nth = 1; nth <= 4; nth++) {
      database.failWrite(1, "refused");
      assert.ok(await refused(storage.putEvents("window", [draftOf(1)]), "the put"));
      database.failRead(nth);
      let tries = 0;
      while (await refused(storage.settings.put("key", nth), "the next call")) {
        assert.ok(++tries < 5, "the storage does not recover");
      }
      database.repair();
      reference.settings.set("key", nth);
      await expectSame(storage, reference, `read ${nth} behind a failed write`);
    }
  }));

test("a reader under way when a write fails gets what was there at its first pull", () =>
  withStorage(async ({ database, storage, reference }) => {
    const reader = storage.readEvents("window", { order: "oldest" })[Symbol.asyncIterator]();
    const seen = [...((await reader.next()).value as readonly StoredEvent[])];
    database.failWrite(1, "refused");
    assert.ok(await refused(storage.putEvents("window", [draftOf(5)]), "the put"));
    for (let next = await reader.next(); next.done !== true; next = await reader.next()) seen.push(...next.value);
    assert.equal(idsOf(seen), idsOf(reference.sorted("window")));
  }));

test("a failed write leaves the partners of heartbeats as they were", () =>
  withStorage(async ({ database, storage }) => {
    await storage.putEvents("afk", [draftOf(1_000, 1, "last")]);
    const late = await storage.heartbeat("afk", draftOf(500, 1, "late"), 5);
    for (const bucketId of ["window", "afk"]) {
      database.failWrite(1, "refused");
      assert.ok(await refused(storage.putEvents(bucketId, [draftOf(1)]), `a put into ${bucketId}`));
      const next = await storage.heartbeat("afk", draftOf(503, 1, "late"), 5);
      assert.is(next.id, late.id, `the late run goes on behind a failed put into ${bucketId}`);
    }
  }));

test("an id that a failed write would have used is not needed, and none is given twice", () =>
  withStorage(async ({ database, storage }) => {
    const used = new Set<number>();
    for (let round = 0; round < 5; round++) {
      database.failWrite(1, round % 2 === 0 ? "refused" : "full");
      assert.ok(
        await refused(storage.putEvents("afk", [draftOf(round), { ...draftOf(round), id: 5_000 + round }]), "a put"),
      );
      database.repair();
      for (const { id } of await storage.putEvents("afk", [draftOf(round), draftOf(round)])) used.add(id);
    }
    assert.is(used.size, 10);
    assert.equal(new Set(idsOf(await read(storage, "afk"))), used);
  }));

test("calls made at once around a failed write are each kept or refused, and buckets are never doubled", () =>
  withStorage(async ({ database, storage, reference }) => {
    for (let round = 0; round < 20; round++) {
      database.failWrite(1 + (round % 4), "refused");
      const fresh = bucketOf(`fresh ${round}`);
      const edit = [{ ...draftOf(3, 1, round), id: 100 + round }];
      const calls: [Promise<unknown>, (answer: never) => unknown][] = [
        [storage.settings.put("round", round), () => reference.settings.set("round", round)],
        [storage.putEvents("window", edit), () => reference.putEvents("window", edit, idsOf(edit))],
        [storage.deleteBucket("window"), () => reference.deleteBucket("window")],
        [storage.createBucket(bucketOf("window")), () => reference.createBucket(bucketOf("window"))],
        [storage.createBucket(fresh), () => reference.createBucket(fresh)],
        [storage.createBucket(fresh), () => undefined],
        [
          storage.updateBucket("afk", { client: `${round}` }),
          () => reference.updateBucket("afk", { client: `${round}` }),
        ],
      ];
      const outcomes = await Promise.allSettled(calls.map(([call]) => call));
      database.repair();
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome.status === "fulfilled" && outcome.value !== false) calls[index]?.[1](outcome.value as never);
      }
      await expectSameSet(storage, reference, `round ${round}`);
      if (!reference.hasBucket("window")) {
        await storage.createBucket(bucketOf("window"));
        reference.createBucket(bucketOf("window"));
      }
      const drafts = Array.from({ length: 1_300 }, (_, index) => draftOf(index, 1));
      // Clearing up behind the deletion may have been what failed, and takes down what is handed over meanwhile, once.
      const put = storage.putEvents("window", drafts).catch(() => storage.putEvents("window", drafts));
      reference.putEvents("window", drafts, idsOf(await put));
    }
    await storage.close();
    const records = (await database.dump()).filter(([key]) => key.startsWith("b!"));
    assert.is(records.length, reference.bucketIds().length, "bucket records in the database");
    reference.reopen();
    await expectSameSet(await leveldb({ db: database }), reference, "after a reopening");
  }));

/** The same buckets and events; two creations at once may come in either order. */
async function expectSameSet(storage: Storage, reference: Reference, when: string): Promise<void> {
  const ids = (await storage.listBuckets()).map(({ id }) => id).sort();
  assert.equal(ids, reference.bucketIds().sort(), when);
  for (const id of ids) {
    assert.equal(await read(storage, id, { order: "oldest" }), [...reference.sorted(id)], `${when}: events of ${id}`);
  }
}

test.run();
