import { BATCHES, KEEP_CHANGED, type Mistake, PARSED, PUT } from "./mistake.js";

const SET = "new Map(now.settings).set(key, value)";
const FITS = "held === undefined || expected === undefined ? held === expected : sameJson(held, expected)";

export const VALUES: readonly Mistake[] = [
  {
    mistake: "data are copied key by key, so that `__proto__` sets a prototype",
    caught: "event data of every kind come back as they were given",
    promise: "lossless",
    told: "data: { ['__proto__']: 1 }",
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
    edits: [[PARSED, '= JSON.parse(text.replaceAll(/\\\\ud[89a-f]../gi, "\\ufffd"));']],
  },
  {
    mistake: "text ends at a NUL, or loses it",
    caught: "bucket fields hold any text and any data",
    promise: "lossless",
    told: "client of 'bucket 0': expected '\\x00', got ''",
    edits: [[PARSED, '= JSON.parse(text.replaceAll("\\\\u0000", ""));']],
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
        "settings: [...settings]",
        "settings: Object.assign({}, ...Array.from(settings, ([key, value]) => ({ [key]: value })))",
      ],
      ["settings: new Map(settings)", "settings: new Map(Object.entries(settings))"],
    ],
  },
  {
    mistake: "a setting of null counts as none",
    caught: "settings of every kind come back as they were given, null included",
    promise: "lossless",
    told: "value 0: expected null, got undefined",
    edits: [["(await current()).settings.get(key)", "(await current()).settings.get(key) ?? undefined"]],
  },
  {
    mistake: "what looks wrong is refused, such as a negative duration",
    caught: "an event without length, before 1970 or at the ends of time is kept to the microsecond",
    promise: "noValidation",
    told: "putEvents rejected: ActivityError (INVALID_INPUT): negative duration",
    edits: [
      [
        PUT,
        `async putEvents(bucketId, drafts) {
      const isWrong = drafts.some(({ duration }) => duration < 0);
      if (isWrong) throw new ActivityError("INVALID_INPUT", "negative duration");
      return writeTo(bucketId, (state) => withDrafts(state, drafts));
    },`,
      ],
      ["import { deviceIdIn", "import { ActivityError, deviceIdIn"],
    ],
  },
];

export const RECORDS: readonly Mistake[] = [
  {
    mistake: "a record is compared before its turn to be written has come",
    caught: "records: of many changes from one value at once one succeeds",
    promise: "atomic",
    told: "changes of one value that succeeded: expected 1, got 30",
    edits: [
      [
        "compareAndSet: (key, expected, value) =>\n      write((now) => {",
        `compareAndSet: async (key, expected, value) => {
      const before = (await current()).records.get(kind)?.get(key);
      return write((now) => {`,
      ],
      ["const held = own.get(key);", "const held = before;"],
      [
        "new Map(now.records).set(kind, changed) }, true];\n      }),",
        "new Map(now.records).set(kind, changed) }, true];\n      });\n    },",
      ],
    ],
  },
  {
    mistake: "records are compared by identity, or as texts",
    caught: "records: the expected value is compared as JSON",
    promise: "compareResult",
    told: "another order of keys: expected true, got false",
    edits: [[FITS, "JSON.stringify(held) === JSON.stringify(expected)"]],
  },
  {
    mistake: "an expected value of null means none",
    caught: "records: a value that is not the expected one is left alone",
    promise: "compareResult",
    told: "null expected where there is none: expected false, got true",
    edits: [[FITS, "sameJson(held ?? null, expected ?? null)"]],
  },
  {
    mistake: "all kinds of records share one store",
    caught: "records: kinds and keys of any text are never confused",
    promise: "recordKinds",
    told: "expected true, got false",
    edits: [["const records = (kind) => ({", 'const records = (_, kind = "") => ({']],
  },
  {
    mistake: "records are kept among the settings",
    caught: "records: they are neither settings nor buckets",
    promise: "recordKinds",
    told: "settings: expected [ '__proto__', 'window' ], got [",
    edits: [
      [
        "list: async () => new Map((await current()).settings),",
        "list: async () => new Map([...(await current()).settings, ...[...(await current()).records.values()].flatMap((own) => [...own])]),",
      ],
    ],
  },
];

export const WHOLE: readonly Mistake[] = [
  {
    mistake: "a backup leaves out the records",
    caught: "backup: everything that is stored, in order",
    promise: "recordKinds",
    told: 'record ["kind 0","0"]: expected {}, got undefined',
    edits: [["for (const [recordKind, own] of kinds) {", "for (const [recordKind, own] of [...kinds].slice(0, 0)) {"]],
  },
  {
    mistake: "a backup continues over the current data",
    caught: "backup: shows one moment while writes go on",
    promise: "backup",
    told: "buckets as they were at the beginning, bucket 0: client of 'window': expected 'contract', got 'updated'",
    edits: [
      [
        "for (const [bucketId, { bucket, events }] of buckets) {",
        "for (const [bucketId, { bucket, events }] of buckets.size > 0 ? kept.buckets : []) {",
      ],
    ],
  },
  {
    mistake: "a backup gives events newest first",
    caught: "backup: everything that is stored, in order",
    promise: "backup",
    told: "backup: events of window: ",
    edits: [
      ["for await (const batch of batchesOf(events))", "for await (const batch of batchesOf([...events].reverse()))"],
    ],
  },
  {
    mistake: "a check reports sound data",
    caught: "verify: a sound storage has no problems, and everything is counted",
    promise: "verifySound",
    told: "problems: [ { kind: 'orphaned'",
    edits: [
      [
        "problems: [], buckets: states.length",
        'problems: states.map(() => ({ kind: "orphaned", message: "?" })), buckets: states.length',
      ],
    ],
  },
  {
    mistake: "a check counts deleted data",
    caught: "verify: a sound storage has no problems, and everything is counted",
    promise: "verify",
    told: "buckets and events: expected [ 2, 3501 ], got [ 2, ",
    edits: [["sum + state.events.length, 0)", "sum + state.nextId - 1, 0)"]],
  },
  {
    mistake: "a read that `close` cuts off ends as if that were all",
    caught: "a read that close cuts off rejects or goes on to its end",
    promise: "closed",
    told: "a read ended after 1000 of 6000 events",
    edits: [
      [
        BATCHES,
        `const cut = async function* () {
        for await (const batch of batchesOf(found)) {
          if (closed) return;
          yield batch;
        }
      };
      return { version: undefined, batches: cut() };`,
      ],
    ],
  },
];
