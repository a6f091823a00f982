import { BUCKET, expectBeat, fillTargets } from "./beats.js";
import { draftOf, idsOf, read, type Scenario, type Stage, withBucket } from "./case.js";
import { same, sameEvent, sameEvents } from "./check.js";

/** Merge targets that are not the greatest event, and those that outlive a reopening. */
export const lateBeats: readonly Scenario[] = [
  { name: "merge target: late beats form a run of their own", play: playLate },
  { name: "merge target: a late run grows past the greatest event", play: playLateGrows },
  { name: "merge target: a late run deep in thousands of events", play: playLateDeep },
  { name: "merge target: late runs between a flood of new activities", play: playLateFlood },
  { name: "merge target: the same after a reopening", needs: "reopen", play: playReopened },
  {
    name: "merge target: cleared for good by what is put or merged before a reopening",
    needs: "reopen",
    play: playCleared,
  },
  {
    name: "merge target: after a reopening a beat merges into the last event",
    needs: "reopen",
    play: playReopenedMerge,
  },
];

async function playLate(stage: Stage): Promise<void> {
  const { storage } = stage;
  const [old, last] = await fillTargets(storage);
  await expectBeat(storage, 1_003, "last", last);
  const late = await expectBeat(storage, 500, "last", "new");
  await expectBeat(storage, 504, "last", late.id);
  await expectBeat(storage, 508, "last", late.id);
  const later = await expectBeat(storage, 509, "other", "new");
  await expectBeat(storage, 510, "other", later.id);
  // The greatest event would fit, but it is not the merge target.
  const own = await expectBeat(storage, 1_005, "last", "new");
  await expectBeat(storage, 1_007, "last", own.id);
  await stage.alsoReopened(async (reopened) => {
    const expected = [old, late.id, later.id, last, own.id];
    same("mergeTarget", idsOf(await read(reopened, BUCKET, { order: "oldest" })), expected, "events by time");
    sameEvent(
      "mergeTarget",
      await reopened.getEvent(BUCKET, late.id),
      { ...draftOf(500, 9, "last"), id: late.id },
      "late run",
    );
  });
}

async function playLateGrows(stage: Stage): Promise<void> {
  const { storage } = stage;
  await fillTargets(storage);
  const late = await expectBeat(storage, 990, "late", "new");
  for (let at = 993; at < 1_100; at += 3) await expectBeat(storage, at, "late", late.id);
  await stage.alsoReopened(async (reopened) => {
    const event = { ...draftOf(990, 109, "late"), id: late.id };
    sameEvents(
      "mergeTarget",
      await read(reopened, BUCKET, { start: 1_050 }),
      [event],
      "the late run behind the greatest",
    );
    same("summaryEnd", (await reopened.summaries([BUCKET]))[0]?.end, 1_099, "end of the bucket");
  });
  if (stage.keeps) await expectBeat(stage.storage, 1_104, "late", late.id, "mergeTargetKept");
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
      "mergeTarget",
      await read(reopened, BUCKET, { start: 77_811, end: 77_847, order: "oldest" }),
      [event],
      "in range",
    );
    same("mergeTarget", await reopened.countEvents(BUCKET), 4_001, "count");
    sameEvent("mergeTarget", await reopened.getEvent(BUCKET, late.id), event, "getEvent");
  });
}

/** Whatever an adapter does with old events while thousands arrive, the merge target of the next beat is not lost. */
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
    sameEvent("mergeTarget", again, { ...draftOf(round * 20, 4, "late"), id: late.id }, `late run ${round}`);
  }
  await stage.alsoReopened(async (reopened) => {
    same("mergeTarget", await reopened.countEvents(BUCKET), events, "events in the end");
    same("mergeTarget", await reopened.countEvents(BUCKET, { end: 30_000 }), 1_300, "late runs in the end");
  });
}

async function playReopened(stage: Stage): Promise<void> {
  let { storage } = stage;
  const [, last] = await fillTargets(storage);
  const late = await expectBeat(storage, 500, "late", "new");
  await expectBeat(storage, 503, "late", late.id);
  storage = await stage.reopen();
  await expectBeat(storage, 506, "late", late.id, "mergeTargetKept");
  storage = await stage.reopen();
  await storage.deleteEvents(BUCKET, [late.id]);
  storage = await stage.reopen();
  const extended = await expectBeat(storage, 1_004, "last", last, "mergeTargetKept");
  sameEvent("mergeTargetKept", extended, { ...draftOf(1_000, 5, "last"), id: last }, "the greatest event, extended");
  const own = await expectBeat(storage, 700, "own", "new");
  // Thousands of newer events: an adapter may pack what it keeps meanwhile.
  for (let at = 0; at < 2_500; at++) await storage.heartbeat(BUCKET, draftOf(5_000 + at * 10, 1, at), 5);
  const again = await storage.heartbeat(BUCKET, draftOf(703, 1, "own"), 5);
  same("mergeTarget", again.id === own.id, false, "a beat merged into the merge target before the last");
  storage = await stage.reopen();
  await expectBeat(storage, 706, "own", again.id, "mergeTargetKept");
}

async function playCleared(stage: Stage): Promise<void> {
  let { storage } = stage;
  const [, last] = await fillTargets(storage);
  await expectBeat(storage, 500, "late", "new");
  await storage.putEvents(BUCKET, [draftOf(1, 1, "anything")]);
  storage = await stage.reopen();
  const extended = await expectBeat(storage, 1_003, "last", last, "mergeTargetKept");
  await expectBeat(storage, 600, "later", "new");
  await storage.mergeEvents(BUCKET, [draftOf(2, 1, "anything")]);
  storage = await stage.reopen();
  await expectBeat(storage, 1_006, "last", extended.id, "mergeTargetKept");
}

async function playReopenedMerge(stage: Stage): Promise<void> {
  let storage = await withBucket(stage);
  const first = await storage.heartbeat(BUCKET, draftOf(0, 1, "run"), 5);
  for (let round = 1; round <= 3; round++) {
    storage = await stage.reopen();
    await expectBeat(storage, round * 5, "run", first.id, "mergeTargetKept");
  }
  storage = await stage.reopen();
  const expected = [{ ...draftOf(0, 16, "run"), id: first.id }];
  sameEvents("mergeTargetKept", await read(storage, BUCKET), expected, "one event over three reopenings");
}
