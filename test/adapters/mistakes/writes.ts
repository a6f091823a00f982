import { EVENT_OF_BEAT, HEAD, KEEP_CHANGED, LOADED, type Mistake } from "./mistake.js";

const PARTNER = "events.find(({ id }) => id === partnerId) ?? events.at(-1)";
const MERGED = "partner && mergeHeartbeat(partner, beat, pulsetime)";
const PUT = "{ bucket, events: placed(events, stored) }";
const SET = "new Map(now.settings).set(key, value)";

export const HEARTBEATS: readonly Mistake[] = [
  {
    mistake: "the partner is always the greatest event",
    caught: "partner: late beats form a run of their own",
    promise: "partner",
    told: "a beat 'last' at 504 was folded into: expected 3, got 'new'",
    edits: [[PARTNER, "events.at(-1)"]],
  },
  {
    mistake: "a put leaves the partner as it is",
    caught: "partner: the greatest again after a put, whatever it puts",
    promise: "partner",
    told: "a beat 'late' at 506 was folded into: expected 'new', got 3",
    edits: [[PUT, "{ ...shelfOf(now, bucketId), events: placed(events, stored) }"]],
  },
  {
    mistake: "the partner is stored and outlives a reopening",
    caught: "partner: the greatest again after a reopening",
    promise: "partnerReopened",
    told: "a beat 'late' at 506 was folded into: expected 'new', got 3",
    edits: [["([id, { bucket, events }]) => [id, { bucket, events }]", "(entry) => entry"]],
  },
  {
    mistake: "data are compared as texts",
    caught: "heartbeat: the order of keys does not count",
    promise: "heartbeat",
    told: "expected { timestamp: 0, duration: 14",
    edits: [[MERGED, `partner && JSON.stringify(partner.data) === JSON.stringify(data) ? ${MERGED} : undefined`]],
  },
  {
    mistake: "a beat that ends within the event makes it shorter",
    caught: "heartbeat: a beat inside leaves the event as it is",
    promise: "heartbeat",
    told: "expected { timestamp: 0, duration: 10",
    edits: [[EVENT_OF_BEAT, "merged ? { ...merged, duration: endOf(beat) - merged.timestamp } : own[0]"]],
  },
  {
    mistake: "pulsetime is taken for seconds",
    caught: "heartbeat: a gap one microsecond above pulsetime does not merge",
    promise: "heartbeat",
    told: "expected { timestamp: 16, duration: 0",
    edits: [[MERGED, "partner && mergeHeartbeat(partner, beat, pulsetime * 1_000_000)"]],
  },
  {
    mistake: "an event that grows is changed in place",
    caught: "an event that was answered or read is not changed by later writes",
    promise: "unchanged",
    told: "expected { id: 2, timestamp: 100, duration: 1, data: { label: 'a' } }, got { id: 2, timestamp: 100, duration: 12",
    edits: [[EVENT_OF_BEAT, "merged ? Object.assign(partner, merged) : own[0]"]],
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
        "putEvents: (bucketId, drafts) =>\n      write(",
        "putEvents: async (bucketId, all) =>\n      inTurn(all, (drafts) => write(",
      ],
      [`${PUT}), stored];\n      }),`, `${PUT}), stored];\n      })),`],
      [
        HEAD,
        `async function inTurn(all, put) {
  const stored = [];
  for (const draft of all) stored.push(...(await put([draft])));
  return stored;
}
${HEAD}`,
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
    mistake: "a put answers in the order of time",
    caught: "stored events are answered in the order of their drafts",
    promise: "putResult",
    told: "expected { timestamp: 50, duration: 5",
    edits: [[`${PUT}), stored]`, `${PUT}), [...stored].sort(byTime)]`]],
  },
  {
    mistake: "an id that is taken is an error of the engine",
    caught: "a draft with the id of an event replaces it, wherever it moves in time",
    promise: "putAllOrNone",
    told: "putEvents rejected: Error: UNIQUE constraint failed",
    edits: [
      [
        "if (drafts.length === 0) return [now, []];",
        `if (drafts.length === 0) return [now, []];
        if (drafts.some((draft) => events.some(({ id }) => id === draft.id))) throw new Error("UNIQUE constraint failed");`,
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
        "shelfOf(current(), bucketId).events.find(({ id }) => id === eventId)",
        "[...current().shelves.values()].flatMap(({ events }) => events).find(({ id }) => id === eventId)",
      ],
    ],
  },
  {
    mistake: "a deletion answers how many ids it was given",
    caught: "deleting events counts those that the bucket held",
    promise: "deleteEvents",
    told: "ids that the bucket does not hold: expected 0, got 2",
    edits: [["shelf.events.length - events.length]", "eventIds.length]"]],
  },
];

export const VALUES: readonly Mistake[] = [
  {
    mistake: "data are copied key by key, so that `__proto__` sets a prototype",
    caught: "event data of every kind come back as they were given",
    promise: "lossless",
    told: "expected { timestamp: 1, duration: 0, data: { ['__proto__']: 1 }, id: 2 }, got",
    edits: [
      [
        KEEP_CHANGED,
        `for (const event of changed) {
    const data = {};
    for (const key of Object.keys(event.data)) data[key] = event.data[key];
    byId.set(event.id, { ...event, data });
  }`,
      ],
    ],
  },
  {
    mistake: "text goes through an encoding that has no lone surrogates",
    caught: "event data of every kind come back as they were given",
    promise: "lossless",
    told: "lone: '\\ud800'",
    edits: [[LOADED, 'const state = JSON.parse(text.replaceAll(/\\\\ud[89a-f]../gi, "\\ufffd"));']],
  },
  {
    mistake: "text ends at a NUL, or loses it",
    caught: "bucket fields hold any text and any data",
    promise: "lossless",
    told: "client of 'bucket 0': expected '\\x00', got ''",
    edits: [[LOADED, 'const state = JSON.parse(text.replaceAll("\\\\u0000", ""));']],
  },
  {
    mistake: "keys of settings are trimmed or change their case",
    caught: "setting keys of any text are never confused",
    promise: "settingsKeys",
    told: "keys of the list:",
    edits: [[SET, SET.replace("key,", "key.trim(),")]],
  },
  {
    mistake: "settings are the fields of a plain object",
    caught: "setting keys of any text are never confused",
    promise: "settingsKeys",
    told: "keys of the list:",
    edits: [
      [
        "settings: [...state.settings]",
        "settings: Object.assign({}, ...Array.from(state.settings, ([key, value]) => ({ [key]: value })))",
      ],
      ["settings: new Map(state.settings)", "settings: new Map(Object.entries(state.settings))"],
    ],
  },
  {
    mistake: "a setting of null counts as none",
    caught: "settings of every kind come back as they were given, null included",
    promise: "lossless",
    told: "value 0: expected null, got undefined",
    edits: [["current().settings.get(key)", "current().settings.get(key) ?? undefined"]],
  },
  {
    mistake: "what looks wrong is refused, such as a negative duration",
    caught: "an event without length, before 1970 or at the ends of time is kept to the microsecond",
    promise: "noValidation",
    told: "putEvents rejected: ActivityError (INVALID_INPUT): negative duration",
    edits: [
      [
        "if (drafts.length === 0) return [now, []];",
        `if (drafts.some(({ duration }) => duration < 0)) throw new ActivityError("INVALID_INPUT", "negative duration");`,
      ],
    ],
  },
];
