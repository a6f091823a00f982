import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import type { JsonObject } from "../../src/domain/json.js";
import { bucketOf, draftOf, idsOf, read, type Scenario, type Stage, withBucket } from "./case.js";
import { holds, rejects, same, sameEvents } from "./check.js";
import { DATA, TEXTS } from "./values.js";
import { awaitedLater } from "./watch.js";

/** The step of an import: events that are there already stay, others are added. */
export const merges: readonly Scenario[] = [
  { name: "merge: what a bucket does not hold is stored, what it holds stays", play: playNew },
  { name: "merge: an event is known by time, length and data alone", play: playIdentity },
  { name: "merge: the order of keys does not count", play: playKeyOrder },
  { name: "merge: equal drafts are all stored, or none of them", play: playTwins },
  { name: "merge: ids of drafts are ignored", play: playIds },
  { name: "merge: what was replaced or deleted is new again", play: playChanged },
  { name: "merge: data of every kind are known again", play: playData },
  { name: "merge: thousands into thousands", play: playMany },
  { name: "merge: a large merge is seen as a whole or not at all", play: playAtomic },
  { name: "merge: the same drafts merged at once are stored once", play: playParallel },
  { name: "merge: nothing, and into an unknown bucket", play: playNothing },
];

async function playNew(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const held = await storage.putEvents("window", [draftOf(10, 5), draftOf(30, 5, "b")]);
  const drafts = [draftOf(30, 5, "b"), draftOf(20, 1), draftOf(10, 5), draftOf(0, 1)];
  same("mergeResult", await storage.mergeEvents("window", drafts), 2, "drafts that were new");
  same("mergeResult", await storage.mergeEvents("window", drafts), 0, "the same drafts again");
  await stage.alsoReopened(async (reopened) => {
    const found = await read(reopened, "window", { order: "oldest" });
    const expected = [draftOf(0, 1), draftOf(10, 5), draftOf(20, 1), draftOf(30, 5, "b")];
    const ids = idsOf(found);
    const events = expected.map((draft, index) => ({ ...draft, id: ids[index] ?? 0 }));
    sameEvents("mergeEvents", found, events, "events as stored");
    same("mergeEvents", [ids[1], ids[3]], idsOf(held), "ids of those that were there");
    holds("ids", Math.min(ids[0] ?? 0, ids[2] ?? 0) > Math.max(...idsOf(held)), `new ids ${ids} are not above the old`);
    same("mergeResult", await reopened.mergeEvents("window", drafts), 0, "the same drafts once more");
  });
}

async function playIdentity(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const data: JsonObject = { n: 1, list: [1, 2], text: "caf\u00e9" };
  await storage.putEvents("window", [{ timestamp: 10, duration: 5, data }]);
  const others: EventDraft[] = [
    { timestamp: 11, duration: 5, data },
    { timestamp: 10, duration: 6, data },
    { timestamp: 10, duration: -5, data },
    { timestamp: 10, duration: 5, data: { ...data, more: null } },
    { timestamp: 10, duration: 5, data: { ...data, n: "1" } },
    { timestamp: 10, duration: 5, data: { ...data, n: true } },
    { timestamp: 10, duration: 5, data: { ...data, list: [2, 1] } },
    { timestamp: 10, duration: 5, data: { ...data, text: "cafe\u0301" } },
    { timestamp: 10, duration: 5, data: {} },
  ];
  same("mergeResult", await storage.mergeEvents("window", others), others.length, "drafts that differ in one thing");
  same("mergeResult", await storage.mergeEvents("window", others), 0, "the same drafts again");
  await stage.alsoReopened(async (reopened) => {
    same("mergeEvents", await reopened.countEvents("window"), others.length + 1, "events as stored");
  });
}

async function playKeyOrder(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const data = { a: 1, b: { c: [{ d: 1, e: 2 }], f: null }, g: "x" };
  const reordered = { g: "x", b: { f: null, c: [{ e: 2, d: 1 }] }, a: 1 };
  await storage.putEvents("window", [{ timestamp: 1, duration: 2, data }]);
  const drafts = [
    { timestamp: 1, duration: 2, data: reordered },
    { timestamp: 5, duration: 2, data },
    { timestamp: 5, duration: 2, data: reordered },
  ];
  same("mergeResult", await storage.mergeEvents("window", drafts), 2, "drafts that were new");
  await stage.alsoReopened(async (reopened) => {
    same("mergeEvents", await reopened.mergeEvents("window", drafts), 0, "the same drafts again");
    same("mergeEvents", await reopened.countEvents("window"), 3, "events as stored");
  });
}

async function playTwins(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const twins = [draftOf(5, 1), draftOf(9, 1), draftOf(5, 1), draftOf(5, 1)];
  same("mergeTwins", await storage.mergeEvents("window", twins), 4, "three equal drafts and another one");
  same("mergeTwins", await storage.mergeEvents("window", twins), 0, "the same drafts again");
  same("mergeTwins", await storage.mergeEvents("window", [draftOf(5, 1)]), 0, "one of the equal drafts");
  await storage.putEvents("window", [draftOf(20, 1)]);
  same("mergeTwins", await storage.mergeEvents("window", [draftOf(20, 1), draftOf(20, 1)]), 0, "twins of one held");
  await stage.alsoReopened(async (reopened) => {
    const found = await read(reopened, "window", { order: "oldest" });
    const times = found.map(({ timestamp }) => timestamp);
    same("mergeTwins", times, [5, 5, 5, 9, 20], "events as stored");
    same("ids", new Set(idsOf(found)).size, 5, "different ids");
  });
}

async function playIds(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const [held] = (await storage.putEvents("window", [draftOf(10, 5)])) as [StoredEvent];
  const drafts = [
    { ...draftOf(10, 5), id: held.id + 900 },
    { ...draftOf(50, 5, "other"), id: held.id },
    { ...draftOf(60, 5, "far"), id: held.id + 1_000_000 },
  ];
  same("mergeResult", await storage.mergeEvents("window", drafts), 2, "drafts that were new");
  await stage.alsoReopened(async (reopened) => {
    const [first, second, third] = (await read(reopened, "window", { order: "oldest" })) as StoredEvent[];
    sameEvents("mergeEvents", first ? [first] : [], [held], "the event that was there");
    holds("mergeEvents", second?.id !== held.id, `the id ${held.id} of a draft was taken over`);
    holds("mergeEvents", third?.id !== held.id + 1_000_000, `the id ${third?.id} of a draft was taken over`);
  });
}

async function playChanged(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const drafts = [draftOf(10, 5), draftOf(20, 5), draftOf(30, 5)];
  const [first, second] = (await storage.putEvents("window", drafts)) as [StoredEvent, StoredEvent];
  await storage.putEvents("window", [{ ...draftOf(10, 6), id: first.id }]);
  await storage.deleteEvents("window", [second.id]);
  same("mergeEvents", await storage.mergeEvents("window", [draftOf(10, 6)]), 0, "what took the place of an event");
  same("mergeEvents", await storage.mergeEvents("window", drafts), 2, "what was replaced and what was deleted");
  const beat = await storage.heartbeat("window", draftOf(36, 0), 5);
  same("mergeEvents", await storage.mergeEvents("window", [beat]), 0, "what a heartbeat extended");
  await stage.alsoReopened(async (reopened) => {
    same("mergeEvents", await reopened.mergeEvents("window", [draftOf(10, 5), draftOf(10, 6), beat]), 0, "all of them");
    same("mergeEvents", await reopened.countEvents("window"), 4, "events as stored");
  });
}

async function playData(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const texts = TEXTS.map((text) => ({ [text]: text, title: text, list: [text] }));
  const drafts = [...DATA, ...texts].map((data, index) => ({ timestamp: index % 3, duration: 0, data }));
  same("mergeEvents", await storage.mergeEvents("window", drafts), drafts.length, "drafts that were new");
  await stage.alsoReopened(async (reopened) => {
    same("mergeEvents", await reopened.mergeEvents("window", drafts), 0, "the same drafts again");
    same("mergeEvents", await reopened.countEvents("window"), drafts.length, "events as stored");
  });
}

async function playMany(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const draftAt = (index: number): EventDraft => draftOf(index * 10, index % 4 === 0 ? 500 : 5, index % 13);
  const held = await storage.putEvents(
    "window",
    Array.from({ length: 5_000 }, (_, index) => draftAt(index * 2)),
  );
  const drafts = Array.from({ length: 6_000 }, (_, index) => draftAt(index));
  same("mergeResult", await storage.mergeEvents("window", drafts), 3_000, "every second draft");
  await stage.alsoReopened(async (reopened) => {
    same("mergeResult", await reopened.mergeEvents("window", drafts), 0, "the same drafts again");
    const found = await read(reopened, "window", { order: "oldest" });
    const indexes = [...drafts.keys(), ...Array.from({ length: 2_000 }, (_, index) => 6_000 + index * 2)];
    const expected = indexes.map((index, at) => ({ ...draftAt(index), id: found[at]?.id ?? 0 }));
    sameEvents("mergeEvents", found, expected, "events as stored");
    same("ids", new Set(idsOf(found)).size, 8_000, "different ids");
    const kept = found.filter((_, at) => at < 6_000 && at % 2 === 0);
    sameEvents("mergeEvents", kept, held.slice(0, 3_000), "those that were there");
  });
}

async function playAtomic(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const size = 700;
  const merging: Promise<number>[] = [];
  let isDone = false;
  for (let round = 0; round < 6; round++) {
    const drafts = Array.from({ length: size }, (_, index) => draftOf(((index * 31) % size) * 10 + round, 3, index));
    merging.push(storage.mergeEvents("window", drafts));
  }
  const all = awaitedLater(
    Promise.all(merging).finally(() => {
      isDone = true;
    }),
  );
  for (let last = false; !last; ) {
    last = isDone;
    const count = await storage.countEvents("window");
    same("atomic", count % size, 0, `${count} events seen, a part of a merge: rest`);
    await new Promise(setImmediate);
  }
  same("mergeResult", await all, new Array(6).fill(size), "answers");
  await stage.alsoReopened(async (reopened) => {
    same("atomic", await reopened.countEvents("window"), 6 * size, "events in the end");
  });
}

async function playParallel(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const drafts = Array.from({ length: 1_500 }, (_, index) => draftOf(index, 5, index % 5));
  const answers = await Promise.all([1, 2, 3, 4].map(() => storage.mergeEvents("window", drafts)));
  same("callOrder", answers, [1_500, 0, 0, 0], "answers to four merges of the same drafts");
  await stage.alsoReopened(async (reopened) => {
    same("mergeEvents", await reopened.countEvents("window"), 1_500, "events in the end");
  });
}

async function playNothing(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.createBucket(bucketOf("afk"));
  await storage.putEvents("afk", [draftOf(1)]);
  same("mergeResult", await storage.mergeEvents("window", []), 0, "no drafts");
  same("mergeResult", await storage.mergeEvents("window", [draftOf(1)]), 1, "an event of another bucket");
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "mergeEvents", () => storage.mergeEvents("unknown", [draftOf(1)]));
  same("listBuckets", (await storage.listBuckets()).length, 2, "buckets after the refusal");
}
