import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import { ActivityError } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, idsOf, read, type Scenario, type Stage } from "./case.js";
import { holds, same, sameEvent, sameEvents } from "./check.js";
import { transact } from "./transacting.js";
import { awaitedLater } from "./watch.js";

/** Buckets that are created together with their events. */
export const creations: readonly Scenario[] = [
  { name: "a bucket is created with its events, which are answered in the order of their drafts", play: playEvents },
  { name: "drafts of a creation keep their ids, and the counter goes on above them", play: playIds },
  { name: "a creation of a taken id stores none of its events", play: playTaken },
  { name: "a bucket is not created as long as a certain record exists", play: playUnless },
  { name: "a bucket is not created once a certain record is set, whatever runs at once", play: playUnlessAtOnce },
  { name: "a creation with thousands of events is seen as a whole or not at all", play: playAtomic },
  { name: "of many creations with events at once one succeeds with its own", play: playRace },
  { name: "the first heartbeat after a creation merges into its greatest event", play: playHeartbeat },
  { name: "a bucket may be deleted and created with other events without waiting", play: playAgain },
];

async function playEvents(stage: Stage): Promise<void> {
  const { storage } = stage;
  same("createBucket", (await storage.createBucket(bucketOf("empty")))?.length, 0, "events of a bucket without drafts");
  same("createBucket", (await storage.createBucket(bucketOf("none"), []))?.length, 0, "events of an empty list");
  const drafts = [draftOf(50, 5, 1), draftOf(10, 0, 2), draftOf(50, 5, 1), draftOf(-3, 9, 3)];
  const stored = (await storage.createBucket(bucketOf("window"), drafts)) ?? [];
  const expected = drafts.map((draft, index) => ({ ...draft, id: stored[index]?.id ?? 0 }));
  sameEvents("createBucket", stored, expected, "answer of createBucket");
  same("ids", new Set(idsOf(stored)).size, 4, "different ids");
  const sorted = [3, 1, 0, 2].map((index) => expected[index] as StoredEvent);
  await stage.alsoReopened(async (reopened) => {
    sameEvents("createBucket", await read(reopened, "window", { order: "oldest" }), sorted, "events as stored");
    const [summary] = await reopened.summaries(["window"]);
    same("createBucket", [summary?.start, summary?.end], [-3, 55], "first and last time");
    same("createBucket", await reopened.countEvents("empty"), 0, "events of the empty bucket");
  });
}

async function playIds(stage: Stage): Promise<void> {
  const { storage } = stage;
  const drafts: EventDraft[] = [
    { ...draftOf(10, 1, "first"), id: 70 },
    draftOf(20, 1, "new"),
    { ...draftOf(30, 1, "low"), id: 3 },
    { ...draftOf(5, 1, "last"), id: 70 },
  ];
  const stored = (await storage.createBucket(bucketOf("window"), drafts)) ?? [];
  const fresh = stored[1]?.id ?? 0;
  same("putUnknownId", idsOf(stored), [70, fresh, 3, 70], "ids of the answer");
  holds("newId", fresh !== 70 && fresh !== 3, `id ${fresh} was given out, but the same call brings it`);
  const expected = [3, 1, 2].map((index) => ({ ...(drafts[index] as EventDraft), id: idsOf(stored)[index] as number }));
  await stage.alsoReopened(async (reopened) => {
    sameEvents("putLastWins", await read(reopened, "window", { order: "oldest" }), expected, "events as stored");
  });
  const [next] = await stage.storage.putEvents("window", [draftOf(40)]);
  holds("givenIds", (next?.id ?? 0) > 70, `id ${next?.id} was given out behind 70`);
}

async function playTaken(stage: Stage): Promise<void> {
  const { storage } = stage;
  const first = (await storage.createBucket(bucketOf("window"), [draftOf(1), draftOf(2)])) ?? [];
  const others = [draftOf(3), { ...draftOf(4, 4, "replaced"), id: first[0]?.id ?? 0 }];
  const answer = await storage.createBucket(bucketOf("window", { client: "other" }), others);
  same("createTaken", answer, undefined, "a taken id");
  await stage.alsoReopened(async (reopened) => {
    sameEvents("createTaken", await read(reopened, "window", { order: "oldest" }), first, "events of the first");
    same("createTaken", (await reopened.getBucket("window"))?.client, "contract", "client of the first");
  });
}

async function playUnless(stage: Stage): Promise<void> {
  const { storage } = stage;
  const unless = { recordKind: "kind", key: "window" };
  const create = (id = "window") => storage.createBucket(bucketOf(id), [draftOf(1)], unless);
  const records = storage.records("kind");
  await records.compareAndSet("other", undefined, 1);
  await storage.records("another").compareAndSet("window", undefined, 1);
  same("createUnless", (await create("before"))?.length, 1, "events of a bucket, without the record");
  await records.compareAndSet("window", undefined, null);
  same("createUnless", await create(), undefined, "a creation while the record exists");
  same("createUnless", await create("before"), undefined, "a taken id while the record exists");
  await stage.alsoReopened(async (reopened) => {
    same("createUnless", await reopened.getBucket("window"), undefined, "the bucket");
  });
  const again = stage.storage;
  await again.records("kind").compareAndSet("window", null, undefined);
  const stored = await again.createBucket(bucketOf("window"), [draftOf(1)], unless);
  same("createUnless", stored?.length, 1, "events of a bucket, when the record is deleted");
}

/** The record is set together with other changes where there are transactions, otherwise alone. */
async function playUnlessAtOnce(stage: Stage): Promise<void> {
  if (stage.storage.transact === undefined) return playUnlessSet(stage);
  for (const [id, exists] of [
    ["free", false],
    ["deleted", true],
  ] as const) {
    const [storage, other] = stage.pair;
    if (exists) await storage.createBucket(bucketOf(id));
    let creation: Promise<unknown> = Promise.resolve();
    const isSet = await transact(storage, [id], async (view) => {
      await view.getBucket(id);
      creation = createUnless(other, id);
      // It gets as far as it can: reads take the same ways.
      for (let at = 0; at < 20; at++) await Promise.all([other.records("kind").get(id), turns(1)]);
      const set = { kind: "record", recordKind: "kind", key: id, expected: undefined, value: 1 } as const;
      return exists ? [{ kind: "delete", bucketId: id }, set] : [set];
    });
    same("transact", isSet, true, "answer");
    same("createUnless", await creation, undefined, "a creation while the record is set");
    await stage.alsoReopened(async (reopened) => {
      same("createUnless", await reopened.getBucket(id), undefined, "the bucket");
    });
  }
}

/** A bucket that is not there once the record is set may not be there later. */
async function playUnlessSet({ storage }: Stage): Promise<void> {
  const records = storage.records("kind");
  for (let turn = 0; turn < 20; turn++) {
    const id = `window ${turn}`;
    const setting = records.compareAndSet(id, undefined, 1).then(() => storage.getBucket(id));
    await turns(turn);
    const created = await createUnless(storage, id);
    if ((await setting) !== undefined) continue;
    same("createUnless", created, undefined, "a creation behind the record");
    same("createUnless", await storage.getBucket(id), undefined, "the bucket");
  }
}

function createUnless(storage: Storage, id: string): Promise<readonly StoredEvent[] | undefined> {
  return awaitedLater(storage.createBucket(bucketOf(id), [draftOf(1)], { recordKind: "kind", key: id }));
}

/** Lets pass so many turns of the event loop. */
async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await new Promise(setImmediate);
}

/** The number of events, `undefined` where the bucket does not exist. */
async function countOf(storage: Storage, bucketId: string): Promise<number | undefined> {
  return storage.countEvents(bucketId).catch((error: unknown) => {
    if (ActivityError.is(error) && error.code === "NO_SUCH_BUCKET") return undefined;
    throw error;
  });
}

async function playAtomic(stage: Stage): Promise<void> {
  const { storage } = stage;
  const size = 3_000;
  for (let round = 0; round < 4; round++) {
    const id = `bucket ${round}`;
    const drafts = Array.from({ length: size }, (_, index) => draftOf(((index * 31) % size) * 10, 3, index % 50));
    let isDone = false;
    const creation = storage.createBucket(bucketOf(id), drafts).finally(() => {
      isDone = true;
    });
    for (let last = false; !last; ) {
      last = isDone;
      const count = await countOf(storage, id);
      holds("createBucket", count === undefined || count === size, `${count} of ${size} events were seen`);
      await new Promise(setImmediate);
    }
    same("createBucket", (await creation)?.length, size, "events answered");
    same("visible", await storage.countEvents(id), size, "events behind the creation");
  }
  await stage.alsoReopened(async (reopened) => {
    for (let round = 0; round < 4; round++) {
      same("createBucket", await reopened.countEvents(`bucket ${round}`), size, "events in the end");
    }
  });
}

async function playRace(stage: Stage): Promise<void> {
  const { storage } = stage;
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => storage.createBucket(bucketOf("window"), [draftOf(index), draftOf(99)])),
  );
  const winners = answers.filter((answer) => answer !== undefined);
  same("atomic", winners.length, 1, "successful creations of one id");
  await stage.alsoReopened(async (reopened) => {
    const found = await read(reopened, "window", { order: "oldest" });
    sameEvents("createTaken", found, winners[0] ?? [], "events of the winner");
  });
}

async function playHeartbeat(stage: Stage): Promise<void> {
  const { storage } = stage;
  const drafts = [draftOf(100, 1, "last"), draftOf(10, 1, "old")];
  const [last] = (await storage.createBucket(bucketOf("window"), drafts)) ?? [];
  if (stage.keeps) await stage.reopen();
  const beat = await stage.storage.heartbeat("window", draftOf(103, 1, "last"), 5);
  const expected = { ...draftOf(100, 4, "last"), id: last?.id ?? 0 };
  sameEvent("mergeTarget", beat, expected, "the greatest event, extended");
}

async function playAgain(stage: Stage): Promise<void> {
  const { storage } = stage;
  const old = Array.from({ length: 2_500 }, (_, index) => draftOf(index, 1, "old"));
  await storage.createBucket(bucketOf("window"), old);
  const calls = [
    storage.deleteBucket("window"),
    storage.createBucket(bucketOf("window"), [draftOf(7, 1, "new"), draftOf(3, 1, "new")]),
    storage.mergeEvents("window", [draftOf(3, 1, "new"), draftOf(5, 1, "new")]),
  ] as const;
  const [isDeleted, stored, merged] = await Promise.all(calls);
  same("callOrder", [isDeleted, stored?.length, merged], [true, 2, 1], "answers of delete, create and merge");
  await stage.alsoReopened(async (reopened) => {
    const found = await read(reopened, "window", { order: "oldest" });
    const times = found.map(({ timestamp }) => timestamp);
    same("callOrder", times, [3, 5, 7], "events in the end");
  });
}
