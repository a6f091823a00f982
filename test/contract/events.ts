import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import { MAX_JSON_DEPTH } from "../../src/domain/json.js";
import { bucketOf, draftOf, idsOf, read, type Scenario, type Stage, withBucket } from "./case.js";
import { holds, same, sameEvent, sameEvents, show } from "./check.js";
import { DATA, nested, TEXTS } from "./values.js";

export const events: readonly Scenario[] = [
  { name: "an event is found by its id in its own bucket only", play: playGetEvent },
  { name: "deleting events counts those that the bucket held", play: playDelete },
  { name: "deleted events are in no read, count or summary", play: playDeleteRanges },
  { name: "deleting every event leaves an empty bucket that goes on working", play: playDeleteAll },
  { name: "frozen drafts are accepted and come back unchanged", play: playFrozen },
  { name: "an event that was answered or read is not changed by later writes", play: playUnchanged },
  { name: "event data of every kind come back as they were given", play: playData },
  { name: "event data of a megabyte and of greatest depth come back as they were given", play: playLargeData },
];

async function playGetEvent(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.createBucket(bucketOf("afk"));
  const [event] = await storage.putEvents("window", [draftOf(3, 4)]);
  const id = event?.id ?? 0;
  await stage.alsoReopened(async (reopened) => {
    sameEvent("getEvent", await reopened.getEvent("window", id), event as StoredEvent, "a known id");
    same("getEvent", await reopened.getEvent("afk", id), undefined, "the id of another bucket");
    for (const unknown of [id + 1, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      same("getEvent", await reopened.getEvent("window", unknown), undefined, `unknown id ${unknown}`);
    }
  });
}

async function playDelete(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.createBucket(bucketOf("afk"));
  const stored = await storage.putEvents(
    "window",
    [1, 2, 3, 4, 5].map((at) => draftOf(at)),
  );
  await storage.putEvents("afk", [{ ...draftOf(1), id: 5_000_000 }]);
  const [a, b, c, d, e] = idsOf(stored) as [number, number, number, number, number];
  const foreign = 5_000_000;
  same("deleteEvents", await storage.deleteEvents("window", []), 0, "deletion of nothing");
  same(
    "deleteEvents",
    await storage.deleteEvents("window", [9_999_999, foreign]),
    0,
    "ids that the bucket does not hold",
  );
  same("deleteEvents", await storage.deleteEvents("window", [d, b, 9_999_999, foreign, b]), 2, "some, one named twice");
  same("deleteEvents", await storage.deleteEvents("window", [b]), 0, "an event deleted before");
  await stage.alsoReopened(async (reopened) => {
    const left = idsOf(await read(reopened, "window", { order: "oldest" }));
    same("deleteEvents", left, [a, c, e], "events that are left");
    same("deleteEvents", await reopened.getEvent("window", b), undefined, "a deleted event");
    same("deleteEvents", await reopened.countEvents("afk"), 1, "events of the other bucket");
  });
}

async function playDeleteRanges(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await storage.putEvents("window", [draftOf(0, 10_000), draftOf(10), draftOf(20), draftOf(30, 5)]);
  await storage.deleteEvents("window", [stored[0]?.id ?? 0, stored[3]?.id ?? 0]);
  await stage.alsoReopened(async (reopened) => {
    same("deleteEvents", (await read(reopened, "window", { start: 25 })).length, 0, "events of a range");
    same("deleteEvents", await reopened.countEvents("window", { start: 25 }), 0, "count of a range");
    same("deleteEvents", await reopened.countEvents("window"), 2, "count of all");
    same("summaryEnd", (await reopened.summaries(["window"]))[0]?.end, 20, "end of the bucket");
    same("readLimit", (await read(reopened, "window", { limit: 1 }))[0]?.timestamp, 20, "the newest event");
  });
}

async function playDeleteAll(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await storage.putEvents(
    "window",
    Array.from({ length: 3_000 }, (_, index) => draftOf(index, 2)),
  );
  same("deleteEvents", await storage.deleteEvents("window", idsOf(stored)), 3_000, "deletion of every event");
  await stage.alsoReopened(async (reopened) => {
    same("deleteEvents", await reopened.countEvents("window"), 0, "count");
    same("deleteEvents", (await read(reopened, "window")).length, 0, "events");
    same("summaryStart", (await reopened.summaries(["window"]))[0]?.start, null, "start of an empty bucket");
  });
  const beat = await stage.storage.heartbeat("window", draftOf(1, 1), 1_000);
  sameEvents("heartbeat", await read(stage.storage, "window"), [{ ...draftOf(1, 1), id: beat.id }], "a beat after it");
}

async function playFrozen(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const draft: EventDraft = Object.freeze({ ...draftOf(5, 1), data: Object.freeze({ list: Object.freeze([1, 2]) }) });
  const before = show(draft);
  const [event] = await storage.putEvents("window", Object.freeze([draft, draft]));
  await storage.heartbeat("window", draft, 10);
  await storage.heartbeat("window", Object.freeze({ ...draft, timestamp: 6, id: event?.id ?? 0 }), 10);
  same("lossless", show(draft), before, "the object that was passed in");
  sameEvent("lossless", event, { ...draft, id: event?.id ?? 0 }, "the object that came out");
}

async function playUnchanged(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const [put] = (await storage.putEvents("window", [draftOf(5, 1)])) as [StoredEvent];
  const beat = await storage.heartbeat("window", draftOf(100, 1), 0);
  const held = [...(await read(storage, "window")), await storage.getEvent("window", beat.id), beat, put];
  const before = held.map(show);
  await storage.heartbeat("window", draftOf(102, 5), 10);
  await storage.putEvents("window", [{ ...draftOf(6, 2, "other"), id: put.id }]);
  await storage.heartbeat("window", draftOf(103, 9), 10);
  await storage.deleteEvents("window", [beat.id]);
  for (const [index, event] of held.entries()) {
    const [was, is] = [before[index], show(event)];
    holds("unchanged", is === was, `after a merge, a replacement and a deletion: expected ${was}, got ${is}`);
  }
}

async function playData(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.createBucket(bucketOf("beats"));
  const texts = TEXTS.map((text) => ({ [text]: text, title: text, list: [text] }));
  const drafts = [...DATA, ...texts].map((data, index) => ({ timestamp: index, duration: 0, data }));
  const stored = await storage.putEvents("window", drafts);
  const put = drafts.map((draft, index) => ({ ...draft, id: idsOf(stored)[index] as number }));
  sameEvents("lossless", stored, put, "answer of putEvents");
  const beaten: StoredEvent[] = [];
  for (const draft of drafts) {
    const event = await storage.heartbeat("beats", draft, 0);
    beaten.push({ ...draft, id: event.id });
    sameEvent("lossless", event, { ...draft, id: event.id }, "answer of heartbeat");
  }
  await stage.alsoReopened(async (reopened) => {
    sameEvents("lossless", await read(reopened, "window", { order: "oldest" }), put, "events that were put");
    sameEvents("lossless", await read(reopened, "beats", { order: "oldest" }), beaten, "events of heartbeats");
    for (const event of put) sameEvent("lossless", await reopened.getEvent("window", event.id), event, "getEvent");
  });
}

async function playLargeData(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const data = [
    { text: "€".repeat(1_000_000) },
    nested(MAX_JSON_DEPTH),
    { list: Array.from({ length: 50_000 }, (_, i) => i) },
  ];
  const drafts = data.map((each, index) => ({ timestamp: index, duration: 1, data: each }));
  const stored = await storage.putEvents("window", drafts);
  const expected = drafts.map((draft, index) => ({ ...draft, id: idsOf(stored)[index] as number }));
  await storage.heartbeat("window", { timestamp: 2, duration: 3, data: data[2] ?? {} }, 1);
  expected[2] = { ...(expected[2] as StoredEvent), duration: 3 };
  await stage.alsoReopened(async (reopened) => {
    sameEvents("lossless", await read(reopened, "window", { order: "oldest" }), expected, "large events");
  });
}
