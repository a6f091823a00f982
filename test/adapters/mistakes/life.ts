import { BATCHES, CLOSE, type Mistake, OPENED } from "./mistake.js";

const CLOSED = "closed = true;";
const ALL_WRITTEN = "await written.catch(() => undefined);";
const CREATE = "if (now.buckets.has(bucket.id)) return [now, undefined];";
const SUMMARIES = "return (bucketIds ?? [...buckets.keys()]).flatMap(";
const LIST = "Array.from((await current()).buckets.values(), ({ bucket }) => bucket)";

export const BUCKETS: readonly Mistake[] = [
  {
    mistake: "creating a bucket that exists replaces it",
    caught: "creating a taken id answers undefined and changes nothing",
    promise: "createTaken",
    told: "a taken id: expected undefined, got []",
    edits: [[CREATE, ""]],
  },
  {
    mistake: "creating a bucket that exists rejects",
    caught: "creating a taken id answers undefined and changes nothing",
    promise: "createBucket",
    told: "createBucket rejected: Error: UNIQUE constraint failed",
    edits: [[CREATE, 'if (now.buckets.has(bucket.id)) throw new Error("UNIQUE constraint failed");']],
  },
  {
    mistake: "a bucket is created whatever records there are",
    caught: "a bucket is not created as long as a certain record exists",
    promise: "createUnless",
    told: "a creation while the record exists: expected undefined, got [",
    edits: [["if (unless && ", "if (!unless && "]],
  },
  {
    mistake: "the record is looked up first, and the bucket created then",
    caught: "a bucket is not created once a certain record is set, whatever runs at once",
    promise: "createUnless",
    told: "a creation behind the record: expected undefined, got [",
    edits: [
      [
        "createBucket: (bucket, drafts = [], unless) =>\n      write(",
        "createBucket: async (bucket, drafts = [], unless) => {\n      if (unless && (await records(unless.recordKind).get(unless.key)) !== undefined) return undefined;\n      return write(",
      ],
      ["if (unless && now.records.get(unless.recordKind)?.has(unless.key)) return [now, undefined];", ""],
      ["[withState(now, state), stored];\n      }),", "[withState(now, state), stored];\n      });\n    },"],
    ],
  },
  {
    mistake: "a bucket is created first, and its events are put afterwards",
    caught: "a creation with thousands of events is seen as a whole or not at all",
    promise: "createBucket",
    told: "0 of 3000 events were seen",
    edits: [
      [
        "createBucket: (bucket, drafts = [], unless) =>\n      write(",
        "createBucket: async (bucket, drafts = [], unless) => {\n      const stored = await write(",
      ],
      ["nextId: 1 }, drafts);", "nextId: 1 }, []);"],
      [
        "[withState(now, state), stored];\n      }),",
        "[withState(now, state), stored];\n      });\n      return stored && writeTo(bucket.id, (state) => withDrafts(state, drafts));\n    },",
      ],
    ],
  },
  {
    mistake: "an update merges `data` into the stored object",
    caught: "an update changes the given fields only",
    promise: "patch",
    told: "data of 'window': expected { both: 2 }, got { old: 1, both: 2 }",
    edits: [
      ["...state.bucket, ...patch }", "...state.bucket, ...patch, data: { ...state.bucket.data, ...patch.data } }"],
    ],
  },
  {
    mistake: "a bucket that is deleted and created again has its old events",
    caught: "a bucket created again starts empty",
    promise: "deleteBucket",
    told: "start of 'window': expected null, got 0",
    edits: [
      ["{ bucket, events: [], nextId: 1 }", "{ bucket, events: now[bucket.id] ?? [], nextId: 1 }"],
      [
        "[{ ...now, buckets: without(now.buckets, bucketId) }",
        "[{ ...now, [bucketId]: now.buckets.get(bucketId)?.events, buckets: without(now.buckets, bucketId) }",
      ],
    ],
  },
  {
    mistake: "buckets are listed by id",
    caught: "buckets are listed in the order of their creation",
    promise: "listBuckets",
    told: "order of the buckets: expected [ 'z', 'a', '10'",
    edits: [[LIST, `${LIST}.sort((a, b) => (a.id < b.id ? -1 : 1))`]],
  },
  {
    mistake: "summaries come in the order of creation, whatever was asked for",
    caught: "summaries come in the order of creation, or in that of the ids asked for",
    promise: "summaries",
    told: "some, one unknown, bucket 0: id of ''",
    edits: [[SUMMARIES, "return [...buckets.keys()].filter((id) => bucketIds?.includes(id) ?? true).flatMap("]],
  },
  {
    mistake: "a bucket ends where its last event ends",
    caught: "summary: the extremes of events put in any order",
    promise: "summaryEnd",
    told: "end when an early event ends last: expected 120, got 71",
    edits: [
      [
        "const [end = null] = events.map(endOf).sort((a, b) => b - a);",
        "const end = events.length > 0 ? endOf(events.at(-1)) : null;",
      ],
    ],
  },
];

export const LIFE: readonly Mistake[] = [
  {
    mistake: "the storage has a `then`",
    caught: "a storage is an object that nobody can wait for",
    promise: "lazy",
    told: "the opened storage has a `then`",
    edits: [
      ["  return {\n    traits", "  const storage = {\n    traits"],
      [
        "await written.catch(() => undefined);\n    },\n  };",
        "await written.catch(() => undefined);\n    },\n  };\n  return storage;",
      ],
      [
        "ready: async () => void (await current()),",
        "ready: async () => {\n      await current();\n      storage.then = (use) => use(kept);\n    },",
      ],
    ],
  },
  {
    mistake: "only `ready` opens",
    caught: "whatever is called first opens the storage",
    promise: "listBuckets",
    told: "listBuckets rejected: TypeError: Cannot read properties of undefined",
    edits: [
      ["await opened();\n    return kept;", "return kept;"],
      ["ready: async () => void (await current()),", "ready: opened,"],
    ],
  },
  {
    mistake: "each `ready` opens again",
    caught: "ready may be called again and again, one after the other and at once",
    promise: "ready",
    told: "events after another ready(): expected 1, got 0",
    edits: [
      [
        "ready: async () => void (await current()),",
        "ready: async () => {\n      await current();\n      kept = newest = { ...kept, buckets: new Map([...kept.buckets].map(([id, { bucket }]) => [id, { bucket, events: [], nextId: 1 }])) };\n    },",
      ],
    ],
  },
  {
    mistake: "the device id is a new one after each opening",
    caught: "the device id is a random UUID and stays the same",
    promise: "deviceId",
    told: "a later call: expected",
    edits: [
      [OPENED, `${OPENED}\n  const device = crypto.randomUUID();`],
      ['deviceIdIn(records("device"))', "current().then(() => device)"],
    ],
  },
  {
    mistake: "an unknown bucket is an error of another kind",
    caught: "a bucket that does not exist rejects every method that names one",
    promise: "noSuchBucket",
    told: "putEvents: expected an ActivityError, got Error: unknown bucket windo",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    edits: [["throw noSuchBucket(bucketId)", "throw new Error(`unknown bucket ${bucketId}`)"]],
  },
  {
    mistake: "a write resolves before it is stored",
    caught: "a resolved write is seen by the next read, count and lookup",
    promise: "noSuchBucket",
    told: "read rejected: ActivityError (NO_SUCH_BUCKET): no bucket named 'window'",
    edits: [["await next;", "next.catch(() => undefined);"]],
  },
  {
    mistake: "stored data is read, awaited and written back",
    caught: "writes to one bucket take effect in the order of the calls",
    promise: "callOrder",
    told: "deletions that found the event put before them: expected 10, got 0",
    edits: [
      [
        "const [changed, answer] = change(newest);",
        "const before = newest;\n    await null;\n    const [changed, answer] = change(before);",
      ],
    ],
  },
  {
    mistake: "a closed storage still works",
    caught: "after close every method rejects",
    promise: "closed",
    told: "ready: expected a rejection with STORAGE_CLOSED, got",
    edits: [["if (closed) throw storageClosed();", ""]],
  },
  {
    mistake: "`close` does not wait for the writes under way",
    caught: "close waits for the writes under way",
    promise: "close",
    told: "writes that had ended when close resolved: expected 85, got",
    edits: [[ALL_WRITTEN, ""]],
  },
  {
    mistake: "`close` waits for abandoned readers",
    caught: "close does not wait for a reader that stopped pulling",
    promise: "close",
    told: "close neither resolved nor rejected for 1 s",
    edits: [
      [
        OPENED,
        `${OPENED}
  let readers = 0;
  async function* counted(batches) {
    readers++;
    try {
      yield* batches;
    } finally {
      readers--;
    }
  }`,
      ],
      [BATCHES, "return { version: undefined, batches: counted(batchesOf(found)) };"],
      [CLOSED, `${CLOSED}\n      if (readers > 0) await new Promise(() => {});`],
    ],
  },
  {
    mistake: "a second `close` rejects",
    caught: "close may be called twice, one after the other and at once",
    promise: "close",
    told: "close rejected: ActivityError (STORAGE_CLOSED): the storage is closed",
    edits: [[CLOSE, `${CLOSE}\n      if (closed) throw storageClosed();`]],
  },
  {
    mistake: "a call that has nothing to do never ends",
    caught: "creating a taken id answers undefined and changes nothing",
    promise: "createBucket",
    told: "createBucket neither resolved nor rejected for 1 s",
    edits: [
      ["newest = changed;", "const isSame = changed === newest;\n    newest = changed;"],
      ["await next;", "await (isSame ? new Promise(() => {}) : next);"],
    ],
  },
  {
    mistake: "a result is a value, not a promise",
    caught: "a new storage has no buckets",
    promise: "listBuckets",
    told: "listBuckets: expected a promise, got []",
    edits: [[`listBuckets: async () => ${LIST}`, "listBuckets: () => []"]],
  },
];
