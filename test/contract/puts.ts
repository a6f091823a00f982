import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import type { Storage } from "../../src/storage/storage.js";
import { bucketOf, draftOf, idsOf, read, type Scenario, type Stage, withBucket } from "./case.js";
import { holds, rejects, same, sameBuckets, sameEvent, sameEvents } from "./check.js";
import { awaitedLater } from "./watch.js";

export const puts: readonly Scenario[] = [
  { name: "stored events are answered in the order of their drafts", play: playResult },
  { name: "putting nothing stores nothing", play: playNothing },
  { name: "an event without length, before 1970 or at the ends of time is kept to the microsecond", play: playTimes },
  { name: "a draft with the id of an event replaces it, wherever it moves in time", play: playReplace },
  { name: "a replaced event is found at its new time only", play: playReplaceRanges },
  { name: "of several drafts with one id the last wins", play: playLastWins },
  { name: "of several drafts with one id only the last counts for the last time", play: playLastWinsEnd },
  { name: "an id of another bucket leaves that bucket untouched", play: playOtherBucket },
  { name: "drafts for an unknown bucket are stored nowhere", play: playRefused },
  { name: "a large put is seen as a whole or not at all", play: playAtomicPut },
  { name: "writes to one bucket take effect in the order of the calls", play: playCallOrder },
  { name: "twenty puts at once store twenty events", play: playParallelPuts },
];

async function playResult(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const drafts = [draftOf(50, 5, 1), draftOf(10, 0, 2), draftOf(50, 5, 1), draftOf(-3, 9, 3)];
  const stored = await storage.putEvents("window", drafts);
  const expected = drafts.map((draft, index) => ({ ...draft, id: stored[index]?.id ?? 0 }));
  sameEvents("putResult", stored, expected, "answer of putEvents");
  same(
    "ids",
    idsOf(stored).every((id, index) => id > (idsOf(stored)[index - 1] ?? 0)),
    true,
    "ids ascend",
  );
  const sorted = [3, 1, 0, 2].map((index) => expected[index] as StoredEvent);
  await stage.alsoReopened(async (reopened) => {
    sameEvents("eventOrder", await read(reopened, "window", { order: "oldest" }), sorted, "events as stored");
  });
}

async function playNothing(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  same("putResult", (await storage.putEvents("window", [])).length, 0, "answer to no drafts");
  same("countEvents", await storage.countEvents("window"), 0, "events after putting nothing");
  const [first] = await storage.putEvents("window", [draftOf(1)]);
  holds("ids", (first?.id ?? 0) >= 1, `the first id is ${first?.id}`);
}

async function playTimes(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const first = -8_520_336_000_000_000;
  const last = 8_835_955_199_999_999;
  const spans: [number, number][] = [
    [first, 0],
    [first, last - first],
    [first + 1, 1],
    [-1, 0],
    [-1, 2],
    [0, 0],
    [0, -5],
    [1, 0],
    [1_234_567, 7_654_321],
    [1_700_000_000_123_456, 1],
    [1_700_000_000_123_457, -1],
    [last - 1, 1],
    [last, 0],
    [last, first - last],
  ];
  const stored = await storage.putEvents(
    "window",
    spans.map(([timestamp, duration]) => draftOf(timestamp, duration)),
  );
  const expected = stored.map((event, index) => {
    const [timestamp, duration] = spans[index] as [number, number];
    return { id: event.id, ...draftOf(timestamp, duration) };
  });
  sameEvents("lossless", stored, expected, "answer of putEvents");
  await stage.alsoReopened(async (reopened) => {
    sameEvents("lossless", await read(reopened, "window", { order: "oldest" }), expected, "events as stored");
    for (const event of expected) sameEvent("lossless", await reopened.getEvent("window", event.id), event, "getEvent");
  });
}

async function playReplace(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const stored = await storage.putEvents(
    "window",
    [10, 20, 30, 40].map((at) => draftOf(at, 5, at)),
  );
  const id = stored[1]?.id ?? 0;
  let current = stored[1] as StoredEvent;
  for (const [at, length] of [
    [20, 1],
    [20, 1],
    [5, 2],
    [99, 0],
    [25, -4],
    [10, 5],
    [-7, 100],
  ] as const) {
    current = { ...draftOf(at, length, `moved to ${at}`), id };
    sameEvents("putReplaces", await storage.putEvents("window", [current]), [current], "answer of a replacing put");
    sameEvent("putReplaces", await storage.getEvent("window", id), current, "getEvent after it");
    same("putReplaces", await storage.countEvents("window"), 4, "count after it");
    const expected = [...stored.filter((event) => event.id !== id), current].sort(byTime);
    sameEvents("putReplaces", await read(storage, "window", { order: "oldest" }), expected, "events after it");
  }
  const expected = [...stored.filter((event) => event.id !== id), current].sort(byTime);
  await stage.alsoReopened(async (reopened) => {
    sameEvents("putReplaces", await read(reopened, "window", { order: "oldest" }), expected, "events after them all");
    sameEvent("putReplaces", await reopened.getEvent("window", id), current, "getEvent after them all");
  });
}

async function playReplaceRanges(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const [event] = await storage.putEvents("window", [draftOf(100, 1_000), draftOf(5_000)]);
  const moved = { ...draftOf(3_000, 10), id: event?.id ?? 0 };
  await storage.putEvents("window", [moved]);
  await stage.alsoReopened(async (reopened) => {
    sameEvents("putReplaces", await read(reopened, "window", { end: 1_500 }), [], "events at the old time");
    same("countEvents", await reopened.countEvents("window", { start: 0, end: 1_500 }), 0, "count at the old time");
    sameEvents("putReplaces", await read(reopened, "window", { start: 3_010, end: 4_000 }), [moved], "at the new time");
  });
}

async function playLastWins(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const [held] = await storage.putEvents("window", [draftOf(1)]);
  const id = held?.id ?? 0;
  const drafts: EventDraft[] = [
    { ...draftOf(10, 1, "held, first"), id },
    { ...draftOf(90, 1, "fresh, first"), id: 500 },
    draftOf(50, 0, "no id"),
    { ...draftOf(20, 2, "held, last"), id },
    { ...draftOf(5, 2, "fresh, middle"), id: 500 },
    { ...draftOf(60, 2, "fresh, last"), id: 500 },
  ];
  const stored = await storage.putEvents("window", drafts);
  const fresh = stored[2]?.id ?? 0;
  same("putResult", idsOf(stored), [id, 500, fresh, id, 500, 500], "ids of the answer");
  const expected = [3, 2, 5].map((index) => ({ ...(drafts[index] as EventDraft), id: idsOf(stored)[index] as number }));
  await stage.alsoReopened(async (reopened) => {
    sameEvents("putLastWins", await read(reopened, "window", { order: "oldest" }), expected, "events as stored");
    same("putLastWins", await reopened.countEvents("window"), 3, "count");
    for (const event of expected)
      sameEvent("putLastWins", await reopened.getEvent("window", event.id), event, "getEvent");
  });
}

async function playLastWinsEnd(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const [longer, shorter] = [draftOf(10, 90), draftOf(10, 1)] as const;
  await storage.putEvents(
    "window",
    [longer, shorter].map((draft) => ({ ...draft, id: 500 })),
  );
  const { timestamp, duration } = shorter;
  await stage.alsoReopened(async (reopened) => {
    const [summary] = await reopened.summaries(["window"]);
    same("putLastWins", summary?.end, timestamp + duration, "last time of the bucket");
  });
}

async function playOtherBucket(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await storage.createBucket(bucketOf("afk"));
  const mine = await storage.putEvents("window", [draftOf(1, 1, "mine"), draftOf(9, 1, "mine")]);
  const copies = mine.map((event) => ({ ...event, timestamp: event.timestamp + 5, data: { label: "copy" } }));
  sameEvents("putUnknownId", await storage.putEvents("afk", copies), copies, "answer of the other bucket");
  same(
    "deleteEvents",
    await storage.deleteEvents("afk", [mine[0]?.id ?? 0, 12_345]),
    1,
    "deletion in the other bucket",
  );
  await stage.alsoReopened(async (reopened) => {
    sameEvents("putOtherBucket", await read(reopened, "window", { order: "oldest" }), mine, "the bucket not addressed");
    sameEvents("putOtherBucket", await read(reopened, "afk"), copies.slice(1), "the bucket addressed");
    const id = mine[1]?.id ?? 0;
    sameEvent("putOtherBucket", await reopened.getEvent("window", id), mine[1] as StoredEvent, "getEvent");
    sameEvent("putOtherBucket", await reopened.getEvent("afk", id), copies[1] as StoredEvent, "getEvent of the copy");
  });
}

async function playRefused(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "putEvents", () =>
    storage.putEvents("afk", [draftOf(1), draftOf(2)]),
  );
  await rejects("noSuchBucket", "NO_SUCH_BUCKET", "heartbeat", () => storage.heartbeat("afk", draftOf(1), 1));
  const expected = [{ ...bucketOf("window"), start: null, end: null }];
  await stage.alsoReopened(async (reopened) => {
    sameBuckets("putAllOrNone", await reopened.summaries(), expected, "buckets after the refusals");
  });
}

async function playAtomicPut(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const size = 700;
  const counts: Promise<number>[] = [];
  const puts: Promise<unknown>[] = [];
  function look(): void {
    counts.push(storage.countEvents("window"), storage.countEvents("window", { start: 0 }));
    if (storage.traits.snapshotReads) counts.push(awaitedLater(countByReading(storage)));
  }
  for (let round = 0; round < 6; round++) {
    const drafts = Array.from({ length: size }, (_, index) => draftOf(((index * 31) % size) * 10 + round, 3, index));
    puts.push(storage.putEvents("window", drafts));
    look();
    await new Promise(setImmediate);
  }
  let stored = false;
  const all = awaitedLater(
    Promise.all(puts).finally(() => {
      stored = true;
    }),
  );
  do {
    look();
    for (const count of await Promise.all(counts.splice(0))) {
      same("atomic", count % size, 0, `${count} events seen, a part of a put: rest`);
    }
    await new Promise(setImmediate);
  } while (!stored);
  await all;
  await stage.alsoReopened(async (reopened) => {
    same("putAllOrNone", await reopened.countEvents("window"), 6 * size, "events in the end");
  });
}

async function countByReading(storage: Storage): Promise<number> {
  return (await read(storage, "window")).length;
}

async function playCallOrder(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const calls: Promise<unknown>[] = [];
  for (let round = 0; round < 50; round++) {
    calls.push(storage.putEvents("window", [{ ...draftOf(round, 1, "put"), id: 7 }]));
    if (round % 5 === 0) calls.push(storage.deleteEvents("window", [7]));
    calls.push(storage.putEvents("window", [{ ...draftOf(1_000 - round, 2, round), id: 7 }]));
    if (round % 7 === 0) calls.push(storage.updateBucket("window", { client: `round ${round}` }));
  }
  const answers = await Promise.all(calls);
  const deletions = answers.filter((answer) => answer === 1).length;
  same("callOrder", deletions, 10, "deletions that found the event put before them");
  await stage.alsoReopened(async (reopened) => {
    const expected = [{ ...draftOf(951, 2, 49), id: 7 }];
    sameEvents("callOrder", await read(reopened, "window"), expected, "what the last call left");
    same("callOrder", (await reopened.getBucket("window"))?.client, "round 49", "client that the last update left");
  });
}

async function playParallelPuts(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const puts = Array.from({ length: 20 }, () => storage.putEvents("window", [draftOf(5, 5, "same")]));
  const ids = (await Promise.all(puts)).map((stored) => stored[0]?.id ?? 0);
  same("ids", new Set(ids).size, 20, "different ids");
  await stage.alsoReopened(async (reopened) => {
    const found = idsOf(await read(reopened, "window", { order: "oldest" }));
    same(
      "visible",
      found,
      [...ids].sort((a, b) => a - b),
      "ids of the events",
    );
  });
}

function byTime(a: StoredEvent, b: StoredEvent): number {
  return a.timestamp - b.timestamp || a.id - b.id;
}
