import { BUCKET, expectBeat, fillTargets } from "./beats.js";
import { bucketOf, draftOf, idsOf, read, type Scenario, type Stage } from "./case.js";
import { rejects, same } from "./check.js";

/** Which event a heartbeat is compared with, in every way that the merge target can change. */
export const mergeTargets: readonly Scenario[] = [
  { name: "merge target: the greatest event when no heartbeat came before", play: playGreatest },
  { name: "merge target: of equal times the event with the greatest id", play: playTies },
  { name: "merge target: not the event that ends last", play: playLongest },
  { name: "merge target: the greatest again after a put, whatever it puts", play: playPut },
  { name: "merge target: the greatest again after a put that moves it", play: playPutMoves },
  { name: "merge target: the greatest again after a put that rewrites it in place", play: playPutRewrites },
  { name: "merge target: the greatest again after it was deleted", play: playDeleted },
  { name: "merge target: stays when another event is deleted", play: playOtherDeleted },
  { name: "merge target: none in a bucket emptied by deletions", play: playEmptied },
  { name: "merge target: none in a bucket created again", play: playRecreated },
  {
    name: "merge target: stays through updates, puts and merges of nothing new, reads, settings and other buckets",
    play: playUnrelated,
  },
  { name: "merge target: stays through calls that were refused", play: playRefused },
  { name: "merge target: the greatest again after a merge that stores something", play: playMerge },
];

async function playGreatest({ storage }: Stage): Promise<void> {
  await fillTargets(storage);
  await expectBeat(storage, 102, "old", "new");
  await storage.deleteBucket(BUCKET);
  const [, next] = await fillTargets(storage);
  await expectBeat(storage, 1_002, "last", next);
}

async function playTies({ storage }: Stage): Promise<void> {
  const drafts = [draftOf(10, 1, "a"), draftOf(10, 1, "b"), draftOf(10, 1, "c")];
  const [a, , c] = idsOf((await storage.createBucket(bucketOf(BUCKET), drafts)) ?? []) as [number, number, number];
  await expectBeat(storage, 12, "c", c);
  await storage.putEvents(BUCKET, [{ ...draftOf(10, 1, "a"), id: a }]);
  await expectBeat(storage, 14, "c", c);
  await storage.putEvents(BUCKET, [{ ...draftOf(10, 1, "d"), id: c + 500 }]);
  await storage.putEvents(BUCKET, [{ ...draftOf(10, 1, "e"), id: c + 400 }]);
  await expectBeat(storage, 12, "d", c + 500);
}

async function playLongest({ storage }: Stage): Promise<void> {
  const drafts = [draftOf(0, 5_000, "long"), draftOf(100, 1, "last")];
  const [, last] = idsOf((await storage.createBucket(bucketOf(BUCKET), drafts)) ?? []);
  await expectBeat(storage, 102, "last", last ?? 0);
  await storage.putEvents(BUCKET, [draftOf(50, 10_000, "longer")]);
  await expectBeat(storage, 200, "longer", "new");
}

async function playPut({ storage }: Stage): Promise<void> {
  const [, last] = await fillTargets(storage);
  const late = await expectBeat(storage, 500, "late", "new");
  await expectBeat(storage, 503, "late", late.id);
  await storage.putEvents(BUCKET, [draftOf(1, 1, "anything")]);
  await expectBeat(storage, 506, "late", "new");
  await storage.putEvents(BUCKET, [draftOf(2, 1, "anything")]);
  await expectBeat(storage, 1_003, "last", last);
  const [future] = await storage.putEvents(BUCKET, [draftOf(5_000, 1, "future")]);
  await expectBeat(storage, 1_005, "last", "new");
  await storage.putEvents(BUCKET, [draftOf(3, 1, "anything")]);
  await expectBeat(storage, 5_003, "future", future?.id ?? 0);
}

async function playPutMoves({ storage }: Stage): Promise<void> {
  const [, last] = await fillTargets(storage);
  const beat = await expectBeat(storage, 2_000, "run", "new");
  await storage.putEvents(BUCKET, [{ ...draftOf(50, 1, "run"), id: beat.id }]);
  await expectBeat(storage, 1_002, "last", last);
  await expectBeat(storage, 53, "run", "new");
}

async function playPutRewrites({ storage }: Stage): Promise<void> {
  await fillTargets(storage);
  const beat = await expectBeat(storage, 2_000, "run", "new");
  await storage.putEvents(BUCKET, [{ ...draftOf(2_000, 1, "edited"), id: beat.id }]);
  await expectBeat(storage, 2_003, "run", "new");
  const late = await expectBeat(storage, 600, "late", "new");
  await storage.putEvents(BUCKET, [{ ...draftOf(600, 1, "late"), id: late.id }]);
  await expectBeat(storage, 603, "late", "new");
}

async function playDeleted({ storage }: Stage): Promise<void> {
  const [old, last] = await fillTargets(storage);
  const beat = await expectBeat(storage, 2_000, "run", "new");
  await expectBeat(storage, 2_003, "run", beat.id);
  same("deleteEvents", await storage.deleteEvents(BUCKET, [beat.id]), 1, "deletion of the merge target");
  await expectBeat(storage, 1_003, "last", last);
  await storage.deleteEvents(BUCKET, [last]);
  await expectBeat(storage, 103, "old", old);
  const late = await expectBeat(storage, 50, "late", "new");
  await storage.deleteEvents(BUCKET, [late.id]);
  await expectBeat(storage, 107, "old", old);
}

async function playOtherDeleted({ storage }: Stage): Promise<void> {
  const [old, last] = await fillTargets(storage);
  const late = await expectBeat(storage, 500, "late", "new");
  await storage.deleteEvents(BUCKET, [last, 9_999_999]);
  await expectBeat(storage, 503, "late", late.id);
  const later = await expectBeat(storage, 300, "later", "new");
  await storage.deleteEvents(BUCKET, [old]);
  await storage.deleteEvents(BUCKET, []);
  await expectBeat(storage, 303, "later", later.id);
  await storage.deleteEvents(BUCKET, [late.id]);
  await expectBeat(storage, 306, "later", later.id);
}

async function playEmptied({ storage }: Stage): Promise<void> {
  const [old, last] = await fillTargets(storage);
  const beat = await expectBeat(storage, 2_000, "run", "new");
  await storage.deleteEvents(BUCKET, [old, last, beat.id]);
  const first = await expectBeat(storage, 2_003, "run", "new");
  await expectBeat(storage, 2_005, "run", first.id);
}

async function playRecreated({ storage }: Stage): Promise<void> {
  await fillTargets(storage);
  await expectBeat(storage, 2_000, "run", "new");
  await storage.deleteBucket(BUCKET);
  await storage.createBucket(bucketOf(BUCKET));
  const first = await expectBeat(storage, 2_003, "run", "new");
  await expectBeat(storage, 2_005, "run", first.id);
  same("countEvents", await storage.countEvents(BUCKET), 1, "events of the bucket created again");
}

async function playUnrelated({ storage }: Stage): Promise<void> {
  await fillTargets(storage);
  await storage.createBucket(bucketOf("afk"));
  const late = await expectBeat(storage, 500, "late", "new");
  await storage.updateBucket(BUCKET, { client: "other", data: { a: 1 } });
  await storage.createBucket(bucketOf(BUCKET));
  await storage.putEvents(BUCKET, []);
  await storage.mergeEvents(BUCKET, []);
  await storage.mergeEvents(BUCKET, [draftOf(1_000, 1, "last"), draftOf(100, 1, "old")]);
  await storage.putEvents("afk", [draftOf(501, 1, "late"), { ...draftOf(502, 1, "late"), id: late.id }]);
  await storage.heartbeat("afk", draftOf(700, 1, "late"), 5);
  await storage.deleteEvents("afk", [late.id]);
  await storage.deleteBucket("afk");
  await storage.settings.put(BUCKET, 1);
  await storage.records("kind").compareAndSet(BUCKET, undefined, 1);
  await read(storage, BUCKET);
  await storage.listBuckets();
  await expectBeat(storage, 503, "late", late.id);
}

async function playRefused({ storage }: Stage): Promise<void> {
  await fillTargets(storage);
  const late = await expectBeat(storage, 500, "late", "new");
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "a put", () => storage.putEvents("afk", [draftOf(1)]));
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "a beat", () => storage.heartbeat("afk", draftOf(1), 1));
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "a deletion", () => storage.deleteEvents("afk", [late.id]));
  await expectBeat(storage, 503, "late", late.id);
}

async function playMerge({ storage }: Stage): Promise<void> {
  const [, last] = await fillTargets(storage);
  const late = await expectBeat(storage, 500, "late", "new");
  await expectBeat(storage, 503, "late", late.id);
  same("mergeResult", await storage.mergeEvents(BUCKET, [draftOf(1, 1, "anything")]), 1, "events that were new");
  await expectBeat(storage, 506, "late", "new");
  await storage.mergeEvents(BUCKET, [draftOf(2, 1, "anything")]);
  await expectBeat(storage, 1_003, "last", last);
}
