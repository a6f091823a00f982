import type { BucketSummary } from "../../src/domain/bucket.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, idsOf, type Scenario, type Stage, withBucket } from "./case.js";
import { same, sameBuckets } from "./check.js";

/** The extremes of the events that a bucket holds now, after every kind of change. */
export const summaries: readonly Scenario[] = [
  { name: "summary: the extremes of events put in any order", play: playPut },
  { name: "summary: negative lengths count by their end", play: playNegative },
  { name: "summary: grows with heartbeats", play: playHeartbeat },
  { name: "summary: shrinks when the extreme events are deleted", play: playDelete },
  { name: "summary: follows events that are replaced", play: playReplace },
  { name: "summary: shrinks when one of thousands is deleted or replaced", play: playMany },
  { name: "summary: each bucket has its own", play: playOwn },
  { name: "summary: follows merges of imports", play: playMerge },
  { name: "summaries come in the order of creation, or in that of the ids asked for", play: playAsked },
];

async function expectSpan(stage: Stage, start: number | null, end: number | null, what: string): Promise<void> {
  await stage.alsoReopened(async (storage) => {
    const [summary] = await storage.summaries(["window"]);
    const listed = (await storage.summaries()).find((bucket) => bucket.id === "window");
    check(summary, start, end, what);
    check(listed, start, end, `${what} (listed)`);
  });
}

function check(summary: BucketSummary | undefined, start: number | null, end: number | null, what: string): void {
  same("summaryStart", summary?.start, start, `start ${what}`);
  same("summaryEnd", summary?.end, end, `end ${what}`);
}

async function playPut(stage: Stage): Promise<void> {
  await withBucket(stage);
  await expectSpan(stage, null, null, "of an empty bucket");
  await stage.storage.putEvents("window", [draftOf(50, 10)]);
  await expectSpan(stage, 50, 60, "of one event");
  await stage.storage.putEvents("window", [draftOf(20, 100), draftOf(70, 1)]);
  await expectSpan(stage, 20, 120, "when an early event ends last");
  await stage.storage.putEvents("window", [draftOf(-30, 0)]);
  await expectSpan(stage, -30, 120, "when an event came before all");
}

async function playNegative(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const [first] = await storage.putEvents("window", [draftOf(10, -50)]);
  await expectSpan(stage, 10, -40, "of one event of negative length");
  const [second] = await stage.storage.putEvents("window", [draftOf(20, -100)]);
  await expectSpan(stage, 10, -40, "of two");
  await stage.storage.deleteEvents("window", idsOf([first, second].filter((event) => event !== undefined)).slice(0, 1));
  await expectSpan(stage, 20, -80, "of the second alone");
}

async function playHeartbeat(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.heartbeat("window", draftOf(10, 1), 5);
  await expectSpan(stage, 10, 11, "of the first beat");
  await stage.storage.heartbeat("window", draftOf(15, 1), 5);
  await expectSpan(stage, 10, 16, "of a merge");
  await stage.storage.heartbeat("window", draftOf(12, 1), 5);
  await expectSpan(stage, 10, 16, "of a beat inside");
  await stage.storage.heartbeat("window", draftOf(3, 1), 5);
  await expectSpan(stage, 3, 16, "of a late beat");
  await stage.storage.heartbeat("window", draftOf(90, 1, "other"), 5);
  await expectSpan(stage, 3, 91, "of a new event");
}

async function playDelete(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await storage.putEvents("window", [draftOf(0, 1), draftOf(10, 500), draftOf(20, 1), draftOf(30, 9)]);
  const [first, longest, middle, last] = idsOf(stored) as [number, number, number, number];
  await expectSpan(stage, 0, 510, "of all");
  await stage.storage.deleteEvents("window", [longest]);
  await expectSpan(stage, 0, 39, "without the event that ended last");
  await stage.storage.deleteEvents("window", [first]);
  await expectSpan(stage, 20, 39, "without the first");
  await stage.storage.deleteEvents("window", [last]);
  await expectSpan(stage, 20, 21, "without the last");
  await stage.storage.deleteEvents("window", [middle]);
  await expectSpan(stage, null, null, "without any");
}

async function playReplace(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await storage.putEvents("window", [draftOf(0, 1), draftOf(10, 500), draftOf(20, 1)]);
  const [first, longest, last] = idsOf(stored) as [number, number, number];
  await stage.storage.putEvents("window", [{ ...draftOf(10, 2), id: longest }]);
  await expectSpan(stage, 0, 21, "after the longest was cut");
  await stage.storage.putEvents("window", [{ ...draftOf(15, 2), id: first }]);
  await expectSpan(stage, 10, 21, "after the first was moved");
  await stage.storage.putEvents("window", [{ ...draftOf(-5, 1), id: last }]);
  await expectSpan(stage, -5, 17, "after the last was moved to the front");
}

async function playMany(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const drafts = Array.from({ length: 5_000 }, (_, index) => draftOf(index * 10, index === 700 ? 1_000_000 : 5));
  const stored = await storage.putEvents("window", drafts);
  await expectSpan(stage, 0, 1_007_000, "of all");
  await stage.storage.putEvents("window", [{ ...draftOf(7_000, 800_000), id: stored[700]?.id ?? 0 }]);
  await expectSpan(stage, 0, 807_000, "after the longest was cut");
  await stage.storage.deleteEvents("window", [stored[700]?.id ?? 0]);
  await expectSpan(stage, 0, 49_995, "without the longest");
  await stage.storage.deleteEvents("window", idsOf(stored.slice(0, 2_100)));
  await expectSpan(stage, 21_000, 49_995, "without the older events");
  await stage.storage.deleteEvents("window", idsOf(stored.slice(2_900)));
  await expectSpan(stage, 21_000, 28_995, "without the newer events");
}

async function playOwn(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.createBucket(bucketOf("afk"));
  await storage.putEvents("afk", [draftOf(1, 1_000)]);
  await storage.putEvents("window", [draftOf(5, 5)]);
  await expectSpan(stage, 5, 10, "beside another bucket");
  await expectOther(stage.storage, 1, 1_001);
  await stage.storage.deleteBucket("afk");
  await expectSpan(stage, 5, 10, "after the other was deleted");
}

async function expectOther(storage: Storage, start: number, end: number): Promise<void> {
  check((await storage.summaries(["afk"]))[0], start, end, "of the other bucket");
}

async function playMerge(stage: Stage): Promise<void> {
  const { storage } = stage;
  await storage.createBucket(bucketOf("window"), [draftOf(50, 10)]);
  await expectSpan(stage, 50, 60, "of a bucket created with an event");
  await stage.storage.mergeEvents("window", [draftOf(50, 10), draftOf(20, 100), draftOf(30, 1)]);
  await expectSpan(stage, 20, 120, "of two merged events");
  await stage.storage.mergeEvents("window", [draftOf(70, 900)]);
  await expectSpan(stage, 20, 970, "of a merged event that ends last");
}

async function playAsked(stage: Stage): Promise<void> {
  const { storage } = stage;
  const expected = ["m", "a", "z", ""].map((id, index) => ({ ...bucketOf(id), start: index, end: index + 5 }));
  for (const { id, start } of expected) await storage.createBucket(bucketOf(id), [draftOf(start, 5)]);
  const [m, a, z, empty] = expected as [BucketSummary, BucketSummary, BucketSummary, BucketSummary];
  await stage.alsoReopened(async (reopened) => {
    sameBuckets("summaries", await reopened.summaries(), [m, a, z, empty], "all summaries");
    sameBuckets("summaries", await reopened.summaries(["", "z", "unknown", "m"]), [empty, z, m], "some, one unknown");
    sameBuckets("summaries", await reopened.summaries(["unknown"]), [], "an unknown one");
    sameBuckets("summaries", await reopened.summaries([]), [], "none");
  });
}
