import { KEEP_CHANGED, type Mistake, PUT, STORED } from "./mistake.js";

const TARGET = "state.events.find(({ id }) => id === state.mergeTarget) ?? state.events.at(-1)";
const MERGED = "target && mergeHeartbeat(target, beat, pulsetimeMicros)";
const CHANGED = "merged ?? beat";
const ANSWER = "[{ ...changed, mergeTarget: event?.id }, /** @type {StoredEvent} */ (event)]";
const FRESH = "drafts.filter((draft) => !state.events.some((event) => isSame(event, draft))).map(withoutId)";
const MERGE = "return [withDrafts(state, fresh)[0], fresh.length];";

export const HEARTBEATS: readonly Mistake[] = [
  {
    mistake: "the merge target is always the greatest event",
    caught: "merge target: late beats form a run of their own",
    promise: "mergeTarget",
    told: "a beat 'last' at 504 was merged into: expected 3, got 'new'",
    edits: [[TARGET, "state.events.at(-1)"]],
  },
  {
    mistake: "a put keeps the merge target",
    caught: "merge target: the greatest again after a put, whatever it puts",
    promise: "mergeTarget",
    told: "a beat 'late' at 506 was merged into: expected 'new', got 3",
    edits: [[STORED, STORED.replace("bucket,", "...state,")]],
  },
  {
    mistake: "the merge target is kept in memory only",
    caught: "merge target: the same after a reopening",
    promise: "mergeTargetKept",
    told: "a beat 'late' at 506 was merged into: expected 3, got 'new'",
    edits: [["(state) => [state.bucket.id, state]", "({ mergeTarget, ...state }) => [state.bucket.id, state]"]],
  },
  {
    mistake: "data are compared as texts",
    caught: "heartbeat: the order of keys does not count",
    promise: "heartbeat",
    told: "expected { timestamp: 0, duration: 14",
    edits: [[MERGED, `target && JSON.stringify(target.data) === JSON.stringify(beat.data) ? ${MERGED} : undefined`]],
  },
  {
    mistake: "a beat that ends within the event makes it shorter",
    caught: "heartbeat: a beat inside leaves the event as it is",
    promise: "heartbeat",
    told: "expected { timestamp: 0, duration: 10",
    edits: [[CHANGED, "merged ? { ...merged, duration: beat.timestamp + beat.duration - merged.timestamp } : beat"]],
  },
  {
    mistake: "pulsetime is taken for seconds",
    caught: "heartbeat: a gap one microsecond above pulsetime does not merge",
    promise: "heartbeat",
    told: "expected { timestamp: 16, duration: 0",
    edits: [[MERGED, "target && mergeHeartbeat(target, beat, pulsetimeMicros * 1_000_000)"]],
  },
  {
    mistake: "an event that grows is changed in place",
    caught: "an event that was answered or read is not changed by later writes",
    promise: "unchanged",
    told: "expected { id: 2, timestamp: 100, duration: 1, data: { label: 'a' } }, got { id: 2, timestamp: 100, duration: 12",
    edits: [
      [ANSWER, "merged ? [state, Object.assign(target, merged)] : [{ ...changed, mergeTarget: event.id }, event]"],
    ],
  },
];

export const PUTS: readonly Mistake[] = [
  {
    mistake: "a put is stored draft by draft",
    caught: "a large put is seen as a whole or not at all",
    promise: "atomic",
    told: "events seen, a part of a put: rest: expected 0, got",
    edits: [
      [
        PUT,
        `async putEvents(bucketId, drafts) {
      const stored = [];
      for (const draft of drafts) {
        stored.push(...(await writeTo(bucketId, (state) => withDrafts(state, [draft]))));
      }
      return stored;
    },`,
      ],
    ],
  },
  {
    mistake: "of several drafts with one id the first wins",
    caught: "of several drafts with one id the last wins",
    promise: "putLastWins",
    told: "got { id: 1, timestamp: 10, duration: 1, data: { label: 'held, first' } }",
    edits: [[KEEP_CHANGED, KEEP_CHANGED.replace("changed", "[...changed].reverse()")]],
  },
  {
    mistake: "a put returns events in the order of time",
    caught: "stored events are answered in the order of their drafts",
    promise: "putResult",
    told: "expected { timestamp: 50, duration: 5",
    edits: [[STORED, STORED.replace("}, stored]", "}, [...stored].sort(byTime)]")]],
  },
  {
    mistake: "an id that is taken is an error of the engine",
    caught: "a draft with the id of an event replaces it, wherever it moves in time",
    promise: "putAllOrNone",
    told: "putEvents rejected: Error: UNIQUE constraint failed",
    edits: [
      [
        PUT,
        PUT.replace(
          "(state) => withDrafts(state, drafts)",
          `(state) => {
        const isTaken = drafts.some((draft) => state.events.some(({ id }) => id === draft.id));
        if (isTaken) throw new Error("UNIQUE constraint failed");
        return withDrafts(state, drafts);
      }`,
        ),
      ],
    ],
  },
  {
    mistake: "a replaced event stays at its old time as well",
    caught: "a replaced event is found at its new time only",
    promise: "putReplaces",
    told: "events at the old time: 1 events (expected 0), at 0: unexpected { id: 1, timestamp: 100",
    edits: [["return [...byId.values()].sort(byTime);", "return [...events, ...changed].sort(byTime);"]],
  },
  {
    mistake: "ids are looked up across buckets",
    caught: "an event is found by its id in its own bucket only",
    promise: "getEvent",
    told: "the id of another bucket: expected undefined, got { id: 1",
    edits: [
      [
        "stateOf(await current(), bucketId).events.find(({ id }) => id === eventId)",
        "[...(await current()).buckets.values()].flatMap(({ events }) => events).find(({ id }) => id === eventId)",
      ],
    ],
  },
  {
    mistake: "a deletion returns the number of passed ids",
    caught: "deleting events counts those that the bucket held",
    promise: "deleteEvents",
    told: "ids that the bucket does not hold: expected 0, got 2",
    edits: [["state.events.length - events.length]", "eventIds.length]"]],
  },
];

export const MERGES: readonly Mistake[] = [
  {
    mistake: "a merge stores existing events again",
    caught: "merge: what a bucket does not hold is stored, what it holds stays",
    promise: "mergeResult",
    told: "drafts that were new: expected 2, got 4",
    edits: [[FRESH, "drafts.map(withoutId)"]],
  },
  {
    mistake: "events are known by their ids",
    caught: "merge: ids of drafts are ignored",
    promise: "mergeResult",
    told: "drafts that were new: expected 2, got 3",
    edits: [
      [
        FRESH,
        "drafts.filter((draft) => !state.events.some(({ id, data }) => id === draft.id && data === draft.data)).map(withoutId)",
      ],
    ],
  },
  {
    mistake: "events are known by their data as text",
    caught: "merge: the order of keys does not count",
    promise: "mergeResult",
    told: "drafts that were new: expected 2, got 3",
    edits: [
      [
        FRESH,
        FRESH.replace("isSame(event, draft)", "JSON.stringify(withoutId(event)) === JSON.stringify(withoutId(draft))"),
      ],
    ],
  },
  {
    mistake: "equal drafts of one merge are stored once",
    caught: "merge: equal drafts are all stored, or none of them",
    promise: "mergeTwins",
    told: "three equal drafts and another one: expected 4, got 2",
    edits: [[FRESH, `${FRESH}.filter((each, index, all) => index === all.findIndex((other) => isSame(each, other)))`]],
  },
  {
    mistake: "a merge takes over the ids of drafts",
    caught: "merge: ids of drafts are ignored",
    promise: "mergeEvents",
    told: "the event that was there: 1 events (expected 1), at 0: expected { id: 1, timestamp: 10",
    edits: [[FRESH, FRESH.replace(".map(withoutId)", "")]],
  },
  {
    mistake: "a merge is stored draft by draft",
    caught: "merge: a large merge is seen as a whole or not at all",
    promise: "atomic",
    told: "events seen, a part of a merge: rest: expected 0, got",
    edits: [
      [
        "mergeEvents: (bucketId, drafts) =>\n      writeTo(bucketId, (state) => {",
        `mergeEvents: async (bucketId, all) => {
      let count = 0;
      for (const draft of all) count += await mergeOne(bucketId, draft);
      return count;
    },
    mergeOne: (bucketId, ...drafts) =>
      writeTo(bucketId, (state) => {`,
      ],
      [
        "  return {\n    traits",
        "  const mergeOne = (id, draft) => storage.mergeOne(id, draft);\n  const storage = {\n    traits",
      ],
      [
        "await written.catch(() => undefined);\n    },\n  };",
        "await written.catch(() => undefined);\n    },\n  };\n  return storage;",
      ],
    ],
  },
  {
    mistake: "a merge keeps the merge target",
    caught: "merge target: the greatest again after a merge that stores something",
    promise: "mergeTarget",
    told: "a beat 'late' at 506 was merged into: expected 'new', got 3",
    edits: [[MERGE, MERGE.replace("withDrafts(state, fresh)[0]", "{ ...state, ...withDrafts(state, fresh)[0] }")]],
  },
];
