import type { StoredEvent } from "../../src/domain/event.js";
import type { Storage } from "../../src/storage.js";
import { bucketOf, draftOf, idsOf, read, type Scenario, type Stage, withBucket } from "./case.js";
import { rejects, same, sameEvent, sameEvents } from "./check.js";
import type { PromiseName } from "./promises.js";

const BUCKET = "window";

/** Which event a heartbeat is compared with, in every way that the partner can change. */
export const partners: readonly Scenario[] = [
  { name: "partner: the greatest event when no heartbeat came before", play: playGreatest },
  { name: "partner: of equal times the event with the greatest id", play: playTies },
  { name: "partner: not the event that ends last", play: playLongest },
  { name: "partner: late beats form a run of their own", play: playLate },
  { name: "partner: a late run grows past the greatest event", play: playLateGrows },
  { name: "partner: a late run deep in thousands of events", play: playLateDeep },
  { name: "partner: late runs between a flood of new activities", play: playLateFlood },
  { name: "partner: the greatest again after a put, whatever it puts", play: playPut },
  { name: "partner: the greatest again after a put that moves the partner", play: playPutMoves },
  { name: "partner: the greatest again after a put that rewrites the partner in place", play: playPutRewrites },
  { name: "partner: the greatest again after the partner was deleted", play: playDeleted },
  { name: "partner: stays when another event is deleted", play: playOtherDeleted },
  { name: "partner: none in a bucket emptied by deletions", play: playEmptied },
  { name: "partner: none in a bucket created again", play: playRecreated },
  { name: "partner: stays through updates, empty puts, reads, settings and other buckets", play: playUnrelated },
  { name: "partner: stays through calls that were refused", play: playRefused },
  { name: "partner: the greatest again after a reopening", needs: "reopen", play: playReopened },
  { name: "partner: after a reopening a beat merges into the last event", needs: "reopen", play: playReopenedMerge },
];

/** Beats with label `label` at `at`, pulsetime 5, and demands which event answers: an id, or `new`. */
async function expectBeat(
  storage: Storage,
  at: number,
  label: string,
  id: number | "new",
  promise: PromiseName = "partner",
): Promise<StoredEvent> {
  const before = await storage.countEvents(BUCKET);
  const event = await storage.heartbeat(BUCKET, draftOf(at, 1, label), 5);
  const fresh = (await storage.countEvents(BUCKET)) > before;
  same(promise, fresh ? "new" : event.id, id, `a beat '${label}' at ${at} was folded into`);
  same("heartbeatResult", event.timestamp + event.duration >= at + 1, true, `the answer covers the beat at ${at}`);
  sameEvent("heartbeatResult", await storage.getEvent(BUCKET, event.id), event, "the event as stored");
  return event;
}

/** A bucket with 'old' at 100 and 'last' at 1000, both of length 1; answers their ids. */
async function fill(storage: Storage): Promise<[number, number]> {
  await storage.createBucket(bucketOf(BUCKET));
  const stored = await storage.putEvents(BUCKET, [draftOf(1_000, 1, "last"), draftOf(100, 1, "old")]);
  const [last, old] = idsOf(stored) as [number, number];
  return [old, last];
}

async function playGreatest({ storage }: Stage): Promise<void> {
  const [, last] = await fill(storage);
  await expectBeat(storage, 102, "old", "new");
  await storage.deleteBucket(BUCKET);
  const [, next] = await fill(storage);
  await expectBeat(storage, 1_002, "last", next);
  same("partner", next === last, false, "an id of the deleted bucket");
}

async function playTies({ storage }: Stage): Promise<void> {
  await withTies(storage, [draftOf(10, 1, "a"), draftOf(10, 1, "b"), draftOf(10, 1, "c")]);
  await expectBeat(storage, 12, "c", 3);
  await storage.putEvents(BUCKET, [{ ...draftOf(10, 1, "a"), id: 1 }]);
  await expectBeat(storage, 14, "c", 3);
  await storage.putEvents(BUCKET, [{ ...draftOf(10, 1, "d"), id: 50 }]);
  await storage.putEvents(BUCKET, [{ ...draftOf(10, 1, "e"), id: 40 }]);
  await expectBeat(storage, 12, "d", 50);
}

async function withTies(storage: Storage, drafts: Parameters<Storage["putEvents"]>[1]): Promise<void> {
  await storage.createBucket(bucketOf(BUCKET));
  await storage.putEvents(BUCKET, drafts);
}

async function playLongest({ storage }: Stage): Promise<void> {
  await withTies(storage, [draftOf(0, 5_000, "long"), draftOf(100, 1, "last")]);
  await expectBeat(storage, 102, "last", 2);
  await storage.putEvents(BUCKET, [draftOf(50, 10_000, "longer")]);
  await expectBeat(storage, 200, "longer", "new");
}

async function playLate(stage: Stage): Promise<void> {
  const { storage } = stage;
  const [old, last] = await fill(storage);
  await expectBeat(storage, 1_003, "last", last);
  const late = await expectBeat(storage, 500, "last", "new");
  await expectBeat(storage, 504, "last", late.id);
  await expectBeat(storage, 508, "last", late.id);
  const later = await expectBeat(storage, 509, "other", "new");
  await expectBeat(storage, 510, "other", later.id);
  // The greatest event would fit, but it is not the partner.
  const own = await expectBeat(storage, 1_005, "last", "new");
  await expectBeat(storage, 1_007, "last", own.id);
  await stage.alsoReopened(async (reopened) => {
    const expected = [old, late.id, later.id, last, own.id];
    same("partner", idsOf(await read(reopened, BUCKET, { order: "oldest" })), expected, "events by time");
    sameEvent(
      "partner",
      await reopened.getEvent(BUCKET, late.id),
      { ...draftOf(500, 9, "last"), id: late.id },
      "late run",
    );
  });
}

async function playLateGrows(stage: Stage): Promise<void> {
  const { storage } = stage;
  const [, last] = await fill(storage);
  const late = await expectBeat(storage, 990, "late", "new");
  for (let at = 993; at < 1_100; at += 3) await expectBeat(storage, at, "late", late.id);
  await stage.alsoReopened(async (reopened) => {
    const event = { ...draftOf(990, 109, "late"), id: late.id };
    sameEvents("partner", await read(reopened, BUCKET, { start: 1_050 }), [event], "the late run behind the greatest");
    same("summaryEnd", (await reopened.getBucket(BUCKET))?.end, 1_099, "end of the bucket");
    // Reopened, or with nothing but reads between: only the reopened storage compares with the greatest.
    if (reopened !== storage) await expectBeat(reopened, 1_005, "last", last, "partnerReopened");
  });
}

async function playLateDeep(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  for (let slice = 0; slice < 8; slice++) {
    const drafts = Array.from({ length: 500 }, (_, index) => draftOf((slice * 500 + index) * 100, 10, index % 5));
    await storage.putEvents(BUCKET, drafts);
  }
  const late = await expectBeat(storage, 77_050, "late", "new");
  for (let step = 1; step < 200; step++) await expectBeat(storage, 77_050 + step * 4, "late", late.id);
  const event = { ...draftOf(77_050, 797, "late"), id: late.id };
  await stage.alsoReopened(async (reopened) => {
    sameEvents(
      "partner",
      await read(reopened, BUCKET, { start: 77_811, end: 77_847, order: "oldest" }),
      [event],
      "in range",
    );
    same("partner", await reopened.countEvents(BUCKET), 4_001, "count");
    sameEvent("partner", await reopened.getEvent(BUCKET, late.id), event, "getEvent");
  });
}

/** Whatever an adapter does with old events while thousands arrive, the partner of the next beat is not lost. */
async function playLateFlood(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  let events = 0;
  for (let round = 0; round < 1_300; round++) {
    for (let fresh = round % 50 === 0 ? 2 : 1; fresh > 0; fresh--) {
      await storage.heartbeat(BUCKET, draftOf(1_000_000 + events++ * 10, 1, events), 5);
    }
    const late = await storage.heartbeat(BUCKET, draftOf(round * 20, 1, "late"), 5);
    events++;
    if (round % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    const again = await storage.heartbeat(BUCKET, draftOf(round * 20 + 3, 1, "late"), 5);
    sameEvent("partner", again, { ...draftOf(round * 20, 4, "late"), id: late.id }, `late run ${round}`);
  }
  await stage.alsoReopened(async (reopened) => {
    same("partner", await reopened.countEvents(BUCKET), events, "events in the end");
    same("partner", await reopened.countEvents(BUCKET, { end: 30_000 }), 1_300, "late runs in the end");
  });
}

async function playPut({ storage }: Stage): Promise<void> {
  const [, last] = await fill(storage);
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
  const [, last] = await fill(storage);
  const beat = await expectBeat(storage, 2_000, "run", "new");
  await storage.putEvents(BUCKET, [{ ...draftOf(50, 1, "run"), id: beat.id }]);
  await expectBeat(storage, 1_002, "last", last);
  await expectBeat(storage, 53, "run", "new");
}

async function playPutRewrites({ storage }: Stage): Promise<void> {
  await fill(storage);
  const beat = await expectBeat(storage, 2_000, "run", "new");
  await storage.putEvents(BUCKET, [{ ...draftOf(2_000, 1, "edited"), id: beat.id }]);
  await expectBeat(storage, 2_003, "run", "new");
  const late = await expectBeat(storage, 600, "late", "new");
  await storage.putEvents(BUCKET, [{ ...draftOf(600, 1, "late"), id: late.id }]);
  await expectBeat(storage, 603, "late", "new");
}

async function playDeleted({ storage }: Stage): Promise<void> {
  const [old, last] = await fill(storage);
  const beat = await expectBeat(storage, 2_000, "run", "new");
  await expectBeat(storage, 2_003, "run", beat.id);
  same("deleteEvents", await storage.deleteEvents(BUCKET, [beat.id]), 1, "deletion of the partner");
  await expectBeat(storage, 1_003, "last", last);
  await storage.deleteEvents(BUCKET, [last]);
  await expectBeat(storage, 103, "old", old);
  const late = await expectBeat(storage, 50, "late", "new");
  await storage.deleteEvents(BUCKET, [late.id]);
  await expectBeat(storage, 107, "old", old);
}

async function playOtherDeleted({ storage }: Stage): Promise<void> {
  const [old, last] = await fill(storage);
  const late = await expectBeat(storage, 500, "late", "new");
  await storage.deleteEvents(BUCKET, [last, 9_999]);
  await expectBeat(storage, 503, "late", late.id);
  const later = await expectBeat(storage, 300, "later", "new");
  await storage.deleteEvents(BUCKET, [old]);
  await storage.deleteEvents(BUCKET, []);
  await expectBeat(storage, 303, "later", later.id);
  await storage.deleteEvents(BUCKET, [late.id]);
  await expectBeat(storage, 306, "later", later.id);
}

async function playEmptied({ storage }: Stage): Promise<void> {
  const [old, last] = await fill(storage);
  const beat = await expectBeat(storage, 2_000, "run", "new");
  await storage.deleteEvents(BUCKET, [old, last, beat.id]);
  const first = await expectBeat(storage, 2_003, "run", "new");
  await expectBeat(storage, 2_005, "run", first.id);
}

async function playRecreated({ storage }: Stage): Promise<void> {
  await fill(storage);
  const beat = await expectBeat(storage, 2_000, "run", "new");
  await storage.deleteBucket(BUCKET);
  await storage.createBucket(bucketOf(BUCKET));
  const first = await expectBeat(storage, 2_003, "run", "new");
  same("ids", first.id > beat.id, true, "the id after the deletion is new");
  await expectBeat(storage, 2_005, "run", first.id);
  same("countEvents", await storage.countEvents(BUCKET), 1, "events of the bucket created again");
}

async function playUnrelated({ storage }: Stage): Promise<void> {
  await fill(storage);
  await storage.createBucket(bucketOf("afk"));
  const late = await expectBeat(storage, 500, "late", "new");
  await storage.updateBucket(BUCKET, { client: "other", data: { a: 1 } });
  await storage.createBucket(bucketOf(BUCKET));
  await storage.putEvents(BUCKET, []);
  await storage.putEvents("afk", [draftOf(501, 1, "late"), { ...draftOf(502, 1, "late"), id: late.id }]);
  await storage.heartbeat("afk", draftOf(700, 1, "late"), 5);
  await storage.deleteEvents("afk", [late.id]);
  await storage.deleteBucket("afk");
  await storage.settings.put(BUCKET, 1);
  await read(storage, BUCKET);
  await storage.listBuckets();
  await expectBeat(storage, 503, "late", late.id);
}

async function playRefused({ storage }: Stage): Promise<void> {
  await fill(storage);
  const late = await expectBeat(storage, 500, "late", "new");
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "a put", () => storage.putEvents("afk", [draftOf(1)]));
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "a beat", () => storage.heartbeat("afk", draftOf(1), 1));
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "a deletion", () => storage.deleteEvents("afk", [late.id]));
  await expectBeat(storage, 503, "late", late.id);
}

async function playReopened(stage: Stage): Promise<void> {
  let { storage } = stage;
  const [, last] = await fill(storage);
  const late = await expectBeat(storage, 500, "late", "new");
  await expectBeat(storage, 503, "late", late.id);
  storage = await stage.reopen();
  await expectBeat(storage, 506, "late", "new", "partnerReopened");
  storage = await stage.reopen();
  const extended = await expectBeat(storage, 1_004, "last", last, "partnerReopened");
  sameEvent("partnerReopened", extended, { ...draftOf(1_000, 5, "last"), id: last }, "the greatest event, extended");
}

async function playReopenedMerge(stage: Stage): Promise<void> {
  let storage = await withBucket(stage);
  const first = await storage.heartbeat(BUCKET, draftOf(0, 1, "run"), 5);
  for (let round = 1; round <= 3; round++) {
    storage = await stage.reopen();
    await expectBeat(storage, round * 5, "run", first.id, "partnerReopened");
  }
  storage = await stage.reopen();
  const expected = [{ ...draftOf(0, 16, "run"), id: first.id }];
  sameEvents("partnerReopened", await read(storage, BUCKET), expected, "one event over three reopenings");
}
