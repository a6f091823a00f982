// long: 300 s
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { leveldb } from "../../adapters/leveldb/index.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, drain, idsOf, read } from "../contract/case.js";
import { Reference } from "../contract/reference.js";
import { sizeOf } from "../faults/sizes.js";
import { expectSame } from "./fault-script.js";
import { FaultyDatabase } from "./faulty-database.js";
import { accepted } from "./until.js";

const test = suite("leveldb: faults of reading and recovering");

const CREATIONS = sizeOf("FAILED_CREATIONS", { short: 4, long: 12 });
const ROUNDS = sizeOf("FAILED_ROUNDS", { short: 8, long: 20 });

interface Bench {
  readonly database: FaultyDatabase;
  readonly storage: Storage;
  readonly reference: Reference;
}

/** Runs a body on a storage with 3,000 events in segments and no cache. */
async function withStorage(body: (bench: Bench) => Promise<void>): Promise<void> {
  const database = new FaultyDatabase();
  const storage = leveldb({ db: database, cacheBytes: 0 });
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
  assert.match(outcome.code, /^STORAGE_(FAILED|FULL)$/, `${what}: ${outcome.message}`);
  return true;
}

/** Calls that may have to read segments. All of them can be made again. */
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
      const written = new Map((await read(storage, "window")).map((event) => [event.id, event]));
      for (const event of reference.sorted("window")) {
        const now = written.get(event.id);
        if (now === undefined) reference.deleteEvents("window", [event.id]);
        else if (now.timestamp !== event.timestamp || now.duration !== event.duration) {
          reference.putEvents("window", [now], [now.id]);
        }
      }
    }
    console.log(`fault injection, reads: ${points} points`);
    assert.ok(points >= 10, `only ${points} points`);
  }));

test("a heartbeat that must read its merge target and cannot is refused; the next one merges", () =>
  withStorage(async ({ database, storage }) => {
    const newest = await read(storage, "window", { limit: 1_500 });
    const target = newest.pop() as StoredEvent;
    await storage.deleteEvents("window", idsOf(newest));
    const beat = { timestamp: target.timestamp + 6, duration: 1, data: target.data };
    database.failRead(1);
    await refused(storage.heartbeat("window", beat, 10), "a heartbeat");
    database.repair();
    const merged = await storage.heartbeat("window", beat, 10);
    assert.equal([merged.id, merged.duration], [target.id, 7]);
    assert.is(await storage.countEvents("window"), 1_501);
  }));

test("failed reads behind a failed write: writing comes back, and all is as acknowledged", () =>
  withStorage(async ({ database, storage, reference }) => {
    for (let nth = 1; nth <= 4; nth++) {
      database.failWrite(1, "refused");
      assert.ok(await refused(storage.putEvents("window", [draftOf(1)]), "the put"));
      database.failRead(nth);
      await accepted(() => storage.settings.put("key", nth));
      database.repair();
      reference.settings.set("key", nth);
      await expectSame(storage, reference, `read ${nth} behind a failed write`);
    }
  }));

test("a read under way when a write fails gets what was there when it resolved", () =>
  withStorage(async ({ database, storage, reference }) => {
    const { batches } = await storage.read("window", { order: "oldest" });
    const seen: number[] = [];
    for await (const batch of batches) {
      if (seen.length === 0) {
        database.failWrite(1, "refused");
        assert.ok(await refused(storage.putEvents("window", [draftOf(5)]), "the put"));
      }
      seen.push(...idsOf(batch.events()));
    }
    assert.equal(seen, idsOf(reference.sorted("window")));
  }));

test("a version that a refused write was seen under does not come back for what is there then", () =>
  withStorage(async ({ database, storage }) => {
    const versionOf = async (): Promise<unknown> => (await storage.versions?.(["window"]))?.[0];
    for (const failure of ["refused", "made"] as const) {
      const before = await versionOf();
      database.failWrite(1, failure);
      const put = refused(storage.putEvents("window", [draftOf(1)]), "the put");
      const seen = await storage.read("window");
      const count = (await drain(seen.batches)).length;
      assert.ok(await put);
      const after = await storage.read("window");
      const rest = (await drain(after.batches)).length;
      assert.is(rest, 3_000, "nothing of the put is there");
      if (count !== rest) assert.is.not(after.version, seen.version, "what is there has a version of its own");
      await accepted(() => storage.putEvents("afk", [draftOf(1)]));
      const [first] = await storage.putEvents("window", [draftOf(7)]);
      assert.is.not(await versionOf(), before);
      assert.is.not(await versionOf(), seen.version);
      await storage.deleteEvents("window", [first?.id ?? 0]);
    }
  }));

test("a failed write leaves the merge targets of heartbeats as they were", () =>
  withStorage(async ({ database, storage }) => {
    await storage.putEvents("afk", [draftOf(1_000, 1, "last")]);
    const late = await storage.heartbeat("afk", draftOf(500, 1, "late"), 5);
    for (const bucketId of ["window", "afk"]) {
      database.failWrite(1, "refused");
      assert.ok(await refused(storage.putEvents(bucketId, [draftOf(1)]), `a put into ${bucketId}`));
      const next = await accepted(() => storage.heartbeat("afk", draftOf(503, 1, "late"), 5));
      assert.is(next.id, late.id, `the late run goes on behind a failed put into ${bucketId}`);
    }
  }));

test("none of the ids that refused writes would have got is given twice", () =>
  withStorage(async ({ database, storage }) => {
    const used = new Set<number>();
    for (let round = 0; round < 5; round++) {
      database.failWrite(1, round % 2 === 0 ? "refused" : "full");
      const put = storage.putEvents("afk", [draftOf(round), { ...draftOf(round), id: 5_000 + round }]);
      assert.ok(await refused(put, "a put"));
      database.repair();
      const stored = await accepted(() => storage.putEvents("afk", [draftOf(round), draftOf(round)]));
      for (const id of idsOf(stored)) used.add(id);
    }
    assert.is(used.size, 10);
    assert.equal(new Set(idsOf(await read(storage, "afk"))), used);
  }));

test("a heartbeat acknowledged beside a creation that fails with its events stays", () =>
  withStorage(async ({ database, storage }) => {
    const drafts = Array.from({ length: 2_000 }, (_, index) => draftOf(index, 1, "created"));
    for (let round = 0; round < CREATIONS; round++) {
      const bucket = bucketOf(`fresh ${round}`);
      database.failWrite(1 + (round % 3), round % 2 === 0 ? "refused" : "made");
      const creation = storage.createBucket(bucket, drafts).catch(() => undefined);
      if (round % 4 > 1) await creation;
      const [others] = await Promise.allSettled([storage.createBucket(bucket)]);
      const [beat] = await Promise.allSettled([storage.heartbeat(bucket.id, draftOf(9_000, 1, "beat"), 5)]);
      const isCreated = (await creation) !== undefined;
      database.repair();
      const events = (await storage.getBucket(bucket.id)) === undefined ? [] : await read(storage, bucket.id);
      const beats = events.filter(({ data }) => data["label"] === "beat");
      assert.is(beats.length, beat.status === "fulfilled" ? 1 : 0, `round ${round}: beats`);
      assert.is(events.length - beats.length, isCreated ? drafts.length : 0, `round ${round}: events of the creation`);
      if (others.status === "fulfilled") assert.ok(await storage.getBucket(bucket.id), `round ${round}: the bucket`);
      await accepted(() => storage.settings.put("round", round));
    }
  }));

test("calls made at once around a failed write are each kept or refused, and buckets are never doubled", async () => {
  const database = new FaultyDatabase();
  const storage = leveldb({ db: database, cacheBytes: 0 });
  const reference = new Reference();
  for (const id of ["window", "afk"]) {
    await storage.createBucket(bucketOf(id));
    reference.createBucket(bucketOf(id));
  }
  for (let round = 0; round < ROUNDS; round++) {
    const fresh = bucketOf(`fresh ${round}`);
    const edit = [{ ...draftOf(3, 1, round), id: 100 + round }];
    database.failWrite(1 + (round % 4), "refused");
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
      if (outcome.status !== "fulfilled" || outcome.value === false || outcome.value === undefined) continue;
      calls[index]?.[1](outcome.value as never);
    }
    if (outcomes[0]?.status === "fulfilled") reference.settings.set("round", round);
    await expectSameSet(storage, reference, `round ${round}`);
    if (!reference.hasBucket("window")) {
      await accepted(() => storage.createBucket(bucketOf("window")));
      reference.createBucket(bucketOf("window"));
    }
    const drafts = Array.from({ length: 1_300 }, (_, index) => draftOf(index, 1));
    const stored = await accepted(() => storage.putEvents("window", drafts));
    reference.putEvents("window", drafts, idsOf(stored));
  }
  await storage.close();
  const reopened = leveldb({ db: database });
  await expectSameSet(reopened, reference, "after a reopening");
  assert.equal((await reopened.verify()).problems, []);
  await reopened.close();
});

/** The same buckets and events; buckets created at once may come in any order. */
async function expectSameSet(storage: Storage, reference: Reference, when: string): Promise<void> {
  const ids = (await storage.listBuckets()).map(({ id }) => id).sort();
  assert.equal(ids, reference.bucketIds().sort(), when);
  for (const id of ids) {
    assert.equal(await read(storage, id, { order: "oldest" }), [...reference.sorted(id)], `${when}: events of ${id}`);
  }
}

test.run();
