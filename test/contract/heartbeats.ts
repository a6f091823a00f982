import type { EventDraft, StoredEvent } from "../../src/domain/event.js";
import type { JsonObject } from "../../src/domain/json.js";
import { bucketOf, draftOf, idsOf, intOf, randomOf, read, type Scenario, type Stage, withBucket } from "./case.js";
import { holds, same, sameEvent, sameEvents } from "./check.js";
import { Reference } from "./reference.js";

const A: JsonObject = { app: "a", title: "one" };

interface MergeCase {
  readonly name: string;
  /** `[timestamp, duration]` of the event that is there; its data are `A` unless given. */
  readonly last: readonly [number, number, JsonObject?];
  readonly beat: readonly [number, number, JsonObject?];
  readonly pulsetime: number;
  /** Duration after the merge; absent: the beat becomes an event of its own. */
  readonly merged?: number;
}

const MERGES: readonly MergeCase[] = [
  { name: "a gap below pulsetime merges", last: [0, 10], beat: [14, 3], pulsetime: 5, merged: 17 },
  { name: "a gap of exactly pulsetime merges", last: [0, 10], beat: [15, 0], pulsetime: 5, merged: 15 },
  { name: "a gap one microsecond above pulsetime does not merge", last: [0, 10], beat: [16, 0], pulsetime: 5 },
  { name: "a beat that touches merges at pulsetime 0", last: [0, 10], beat: [10, 2], pulsetime: 0, merged: 12 },
  { name: "a beat behind the end does not merge at pulsetime 0", last: [0, 10], beat: [11, 2], pulsetime: 0 },
  { name: "a beat inside leaves the event as it is", last: [0, 10], beat: [3, 4], pulsetime: 5, merged: 10 },
  { name: "a beat that ends at the same end changes nothing", last: [0, 10], beat: [3, 7], pulsetime: 5, merged: 10 },
  { name: "a beat that overlaps extends", last: [0, 10], beat: [3, 8], pulsetime: 0, merged: 11 },
  { name: "a beat at the same time and longer extends", last: [5, 1], beat: [5, 9], pulsetime: 0, merged: 9 },
  { name: "a beat at the same time and shorter changes nothing", last: [5, 9], beat: [5, 1], pulsetime: 0, merged: 9 },
  { name: "an event without length is extended", last: [5, 0], beat: [5, 0], pulsetime: 0, merged: 0 },
  { name: "a beat older than the event does not merge", last: [5, 5], beat: [4, 3], pulsetime: 100 },
  {
    name: "a negative pulsetime merges given that much overlap",
    last: [0, 10],
    beat: [9, 4],
    pulsetime: -1,
    merged: 13,
  },
  { name: "a negative pulsetime refuses less overlap", last: [0, 10], beat: [10, 4], pulsetime: -1 },
  { name: "an event of negative length is not extended", last: [10, -1], beat: [10, 5], pulsetime: 100 },
  { name: "a beat of negative length may merge", last: [0, 10], beat: [12, -1], pulsetime: 5, merged: 11 },
  { name: "a beat of negative length does not shorten", last: [0, 10], beat: [2, -8], pulsetime: 5, merged: 10 },
  { name: "times before 1970 merge", last: [-20, 5], beat: [-10, 15], pulsetime: 5, merged: 25 },
  { name: "a pulsetime of years merges", last: [0, 0], beat: [1e15, 1], pulsetime: 1e15, merged: 1e15 + 1 },
  { name: "other data do not merge", last: [0, 10], beat: [5, 9, { app: "b", title: "one" }], pulsetime: 5 },
  { name: "data with a field more do not merge", last: [0, 10], beat: [5, 9, { ...A, url: "" }], pulsetime: 5 },
  { name: "data with a field less do not merge", last: [0, 10], beat: [5, 9, { app: "a" }], pulsetime: 5 },
  {
    name: "the order of keys does not count",
    last: [0, 10, { a: 1, b: { c: 2, d: 3 } }],
    beat: [5, 9, { b: { d: 3, c: 2 }, a: 1 }],
    pulsetime: 5,
    merged: 14,
  },
  { name: "the order of lists counts", last: [0, 10, { l: [1, 2] }], beat: [5, 9, { l: [2, 1] }], pulsetime: 5 },
  { name: "a boolean differs from a number", last: [0, 10, { a: true }], beat: [5, 9, { a: 1 }], pulsetime: 5 },
  { name: "null differs from an absent field", last: [0, 10, { a: null }], beat: [5, 9, {}], pulsetime: 5 },
  { name: "a number differs from its text", last: [0, 10, { a: 1 }], beat: [5, 9, { a: "1" }], pulsetime: 5 },
  {
    name: "text is not normalised",
    last: [0, 10, { a: "caf\u00e9" }],
    beat: [5, 9, { a: "cafe\u0301" }],
    pulsetime: 5,
  },
  { name: "lone surrogates differ", last: [0, 10, { a: "\ud800" }], beat: [5, 9, { a: "\ud801" }], pulsetime: 5 },
  { name: "a list differs from an object", last: [0, 10, { a: [] }], beat: [5, 9, { a: {} }], pulsetime: 5 },
  { name: "empty data merge", last: [0, 10, {}], beat: [5, 9, {}], pulsetime: 5, merged: 14 },
  {
    name: "a key __proto__ counts",
    last: [0, 10, JSON.parse('{"__proto__": 1}') as JsonObject],
    beat: [5, 9, {}],
    pulsetime: 5,
  },
  {
    name: "data with NUL, lone surrogates and __proto__ merge with their like",
    last: [0, 10, JSON.parse('{"__proto__": "\\u0000", "\\ud800": ["\\udc00"]}') as JsonObject],
    beat: [5, 9, JSON.parse('{"\\ud800": ["\\udc00"], "__proto__": "\\u0000"}') as JsonObject],
    pulsetime: 5,
    merged: 14,
  },
];

export const heartbeats: readonly Scenario[] = [
  ...MERGES.map(mergeScenario),
  { name: "the first beat of a bucket becomes an event", play: playFirst },
  { name: "the id of a beat is ignored", play: playId },
  { name: "a heartbeat extends the event it finds, step by step", play: playSteps },
  { name: "an event extended by heartbeats is found at its new end", play: playRanges },
  { name: "beats of one activity at once become one event", play: playParallel },
  { name: "beats without waiting take effect in the order of the calls", play: playCallOrder },
  { name: "heartbeats, puts and deletions without waiting answer as one after the other", play: playMixedOrder },
  { name: "buckets that beat at once do not disturb each other", play: playManyBuckets },
];

/** Each merge is tried on an event that was put and on one that a heartbeat made. */
function mergeScenario({ name, last, beat, pulsetime, merged }: MergeCase): Scenario {
  return {
    name: `heartbeat: ${name}`,
    async play(stage) {
      const storage = await withBucket(stage, "put");
      await storage.createBucket(bucketOf("beaten"));
      const lastDraft = spanOf(last);
      const beatDraft = spanOf(beat);
      const [put] = (await storage.putEvents("put", [lastDraft])) as [StoredEvent];
      const made = await storage.heartbeat("beaten", lastDraft, pulsetime);
      const expected = new Map<string, StoredEvent[]>();
      for (const [bucketId, event] of [
        ["put", put],
        ["beaten", made],
      ] as const) {
        const answer = await storage.heartbeat(bucketId, beatDraft, pulsetime);
        const extended = { ...lastDraft, id: event.id, duration: merged ?? lastDraft.duration };
        const own = { ...beatDraft, id: answer.id };
        sameEvent("heartbeat", answer, merged === undefined ? own : extended, `${name} (${bucketId})`);
        const events = merged === undefined ? [extended, own] : [extended];
        expected.set(
          bucketId,
          events.sort((a, b) => a.timestamp - b.timestamp || a.id - b.id),
        );
      }
      await stage.alsoReopened(async (reopened) => {
        for (const [bucketId, events] of expected) {
          const found = await read(reopened, bucketId, { order: "oldest" });
          sameEvents("heartbeat", found, events, `${name} (${bucketId})`);
        }
      });
    },
  };
}

function spanOf([timestamp, duration, data = A]: readonly [number, number, JsonObject?]): EventDraft {
  return { timestamp, duration, data };
}

async function playFirst(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const beat = await storage.heartbeat("window", draftOf(7, 2), -1_000);
  sameEvent("heartbeat", beat, { ...draftOf(7, 2), id: beat.id }, "the first beat");
  holds("ids", beat.id >= 1, `the first id is ${beat.id}`);
  await stage.alsoReopened(async (reopened) =>
    sameEvents("heartbeat", await read(reopened, "window"), [beat], "events"),
  );
}

async function playId(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const [old, last] = (await storage.putEvents("window", [draftOf(1, 0, "old"), draftOf(10)])) as [
    StoredEvent,
    StoredEvent,
  ];
  const extended = await storage.heartbeat("window", { ...draftOf(12), id: old.id }, 5);
  sameEvent("heartbeat", extended, { ...draftOf(10, 2), id: last.id }, "a beat with the id of another event");
  const own = await storage.heartbeat("window", { ...draftOf(50, 0, "new"), id: old.id }, 5);
  holds("heartbeat", own.id > last.id, `id ${own.id} of an event of its own, behind ${last.id}`);
  const high = await storage.heartbeat("window", { ...draftOf(90, 0, "high"), id: 5_000_000 }, 5);
  const isOwn = high.id > own.id && high.id !== 5_000_000;
  holds("heartbeat", isOwn, `id ${high.id} of a beat that brings an unknown id, behind ${own.id}`);
  await stage.alsoReopened(async (reopened) => {
    const found = await read(reopened, "window", { order: "oldest" });
    sameEvents("heartbeat", found, [old, extended, own, high], "events as stored");
  });
}

async function playSteps(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  let expected: StoredEvent[] = [];
  for (let step = 0; step < 300; step++) {
    const label = Math.floor(step / 20);
    const answer = await storage.heartbeat("window", draftOf(step * 10, 4, label), 6);
    const last = expected.at(-1);
    const isMerged = step % 20 > 0;
    const event = { ...draftOf(label * 200, (step % 20) * 10 + 4, label), id: (isMerged ? last : answer)?.id ?? 0 };
    expected = isMerged ? [...expected.slice(0, -1), event] : [...expected, event];
    sameEvent("heartbeatResult", answer, event, `answer to beat ${step}`);
  }
  await stage.alsoReopened(async (reopened) => {
    sameEvents("heartbeat", await read(reopened, "window", { order: "oldest" }), expected, "events as stored");
    same("countEvents", await reopened.countEvents("window"), 15, "count");
  });
}

async function playRanges(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const { id } = await storage.heartbeat("window", draftOf(0), 10);
  await storage.heartbeat("window", draftOf(5, 95), 10);
  await storage.heartbeat("window", draftOf(7, 0, "short"), 10);
  await stage.alsoReopened(async (reopened) => {
    same("bothEnds", idsOf(await read(reopened, "window", { start: 100 })), [id], "at the end of the extended event");
    same("bothEnds", (await read(reopened, "window", { start: 101 })).length, 0, "behind it");
    same("summaryEnd", (await reopened.summaries(["window"]))[0]?.end, 100, "end of the bucket");
  });
}

async function playParallel(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  // New data in every round: the race is in who appends first, not in who extends.
  for (let round = 0; round < 20; round++) {
    const beat = draftOf(round * 10, 1, round);
    const answers = await Promise.all(Array.from({ length: 20 }, () => storage.heartbeat("window", beat, 5)));
    same("callOrder", new Set(idsOf(answers)).size, 1, "events that twenty equal beats became");
  }
  await stage.alsoReopened(async (reopened) => {
    same("callOrder", await reopened.countEvents("window"), 20, "events after twenty rounds");
  });
}

async function playCallOrder(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const beats = Array.from({ length: 1_000 }, (_, index) => draftOf(index * 3, 1, Math.floor(index / 7) % 3));
  const answers = await Promise.all(beats.map((beat) => storage.heartbeat("window", beat, 2)));
  const reference = new Reference();
  reference.createBucket(bucketOf("window"));
  for (const [index, beat] of beats.entries()) {
    const expected = reference.heartbeat("window", beat, 2, answers[index]?.id ?? 0);
    sameEvent("callOrder", answers[index], expected, `answer to beat ${index}`);
  }
  await stage.alsoReopened(async (reopened) => {
    const found = await read(reopened, "window", { order: "oldest" });
    sameEvents("callOrder", found, reference.sorted("window"), "events as stored");
  });
}

/** Old events are there in thousands: an edit or a deletion among them may be slower than the beats behind it. */
async function playMixedOrder(stage: Stage): Promise<void> {
  const storage = await withBucket(stage);
  const reference = new Reference();
  reference.createBucket(bucketOf("window"));
  const old = Array.from({ length: 3_000 }, (_, index) => draftOf(index - 9_000, 1, index % 5));
  reference.putEvents("window", old, idsOf(await storage.putEvents("window", old)));
  const random = randomOf(5);
  const pending: Promise<() => void>[] = [];
  for (let step = 0; step < 600; step++) {
    const kind = random();
    const beat = draftOf(step * 2 - (random() < 0.1 ? 300 : 0), intOf(random, 0, 3), intOf(random, 1, 2));
    const id = intOf(random, 1, 3_000 + step);
    if (kind < 0.8) {
      const call = storage.heartbeat("window", beat, 4);
      pending.push(
        call.then((answer) => () => {
          const expected = reference.heartbeat("window", beat, 4, answer.id);
          sameEvent("callOrder", answer, expected, `answer to beat in step ${step}`);
        }),
      );
    } else if (kind < 0.9) {
      const drafts = [beat, { ...draftOf(step, 5, "put"), id }];
      const call = storage.putEvents("window", drafts);
      pending.push(call.then((answer) => () => void reference.putEvents("window", drafts, idsOf(answer))));
    } else {
      const call = storage.deleteEvents("window", [id, id + 1]);
      pending.push(
        call.then((answer) => () => {
          same("callOrder", answer, reference.deleteEvents("window", [id, id + 1]), `deletion in step ${step}`);
        }),
      );
    }
  }
  for (const compare of await Promise.all(pending)) compare();
  await stage.alsoReopened(async (reopened) => {
    const found = await read(reopened, "window", { order: "oldest" });
    sameEvents("callOrder", found, reference.sorted("window"), "events as stored");
  });
}

async function playManyBuckets(stage: Stage): Promise<void> {
  const { storage } = stage;
  const names = Array.from({ length: 50 }, (_, index) => `bucket ${index}`);
  for (const name of names) await storage.createBucket(bucketOf(name));
  for (let round = 0; round < 10; round++) {
    await Promise.all(names.map((name, index) => storage.heartbeat(name, draftOf(round * 10 + index, 5, name), 20)));
  }
  await stage.alsoReopened(async (reopened) => {
    for (const [index, name] of names.entries()) {
      const found = await read(reopened, name);
      const expected = { ...draftOf(index, 95, name), id: found[0]?.id ?? 0 };
      sameEvents("callOrder", found, [expected], `events of ${name}`);
    }
  });
}
