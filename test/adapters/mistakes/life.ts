import { HEAD, LOADED, type Mistake, OPENED } from "./mistake.js";

const CLOSED = "closed = true;";
const ALL_WRITTEN = "await written.catch(() => undefined);";
const CREATE = "now.shelves.has(bucket.id) ? [now, false] : ";
const PULLS = "for (let at = 0; at < found.length; at += CHUNK) yield found.slice(at, at + CHUNK);";

export const BUCKETS: readonly Mistake[] = [
  {
    mistake: "creating a bucket that exists replaces it",
    caught: "creating a taken id answers false and changes nothing",
    promise: "createBucket",
    told: "a taken id: expected false, got true",
    edits: [[CREATE, ""]],
  },
  {
    mistake: "creating a bucket that exists rejects",
    caught: "creating a taken id answers false and changes nothing",
    promise: "createBucket",
    told: "createBucket rejected: Error: UNIQUE constraint failed",
    edits: [
      [CREATE, "now.shelves.has(bucket.id) ? refused() : "],
      [HEAD, `${HEAD}\nfunction refused() {\n  throw new Error("UNIQUE constraint failed");\n}`],
    ],
  },
  {
    mistake: "an update merges `data` into what is there",
    caught: "an update changes the given fields only",
    promise: "patch",
    told: "data of 'window': expected { both: 2 }, got { old: 1, both: 2 }",
    edits: [
      ["...shelf.bucket, ...patch }", "...shelf.bucket, ...patch, data: { ...shelf.bucket.data, ...patch.data } }"],
    ],
  },
  {
    mistake: "a bucket that is deleted and created again has its old events",
    caught: "a bucket created again starts empty",
    promise: "deleteBucket",
    told: "start of 'window': expected null, got 0",
    edits: [
      ["{ bucket, events: [] }", "{ bucket, events: now[bucket.id] ?? [] }"],
      [
        "[{ ...now, shelves: without(now.shelves, bucketId) }",
        "[{ ...now, [bucketId]: now.shelves.get(bucketId)?.events, shelves: without(now.shelves, bucketId) }",
      ],
    ],
  },
  {
    mistake: "buckets are listed by id",
    caught: "buckets are listed in the order of their creation",
    promise: "listBuckets",
    told: "order of the buckets: expected [ 'z', 'a', '10'",
    edits: [
      [
        "Array.from(current().shelves.values(), summaryOf)",
        "Array.from(current().shelves.values(), summaryOf).sort((a, b) => (a.id < b.id ? -1 : 1))",
      ],
    ],
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
    mistake: "the device id is a new one after each opening",
    caught: "the device id is a random UUID and stays the same",
    promise: "deviceId",
    told: "a later call: expected",
    edits: [[LOADED, `${LOADED}\n    state.device = randomUUID();`]],
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
    told: "readEvents rejected: ActivityError (NO_SUCH_BUCKET): no bucket named 'window'",
    edits: [["await next;", "next.catch(() => undefined);"]],
  },
  {
    mistake: "what is stored is read, waited for, and written back",
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
    mistake: "a closed storage still answers",
    caught: "after close every method rejects",
    promise: "closed",
    told: "deviceId: expected a rejection with STORAGE_CLOSED, got",
    edits: [["if (closed) throw storageClosed();", ""]],
  },
  {
    mistake: "`close` does not wait for the writes under way",
    caught: "close waits for the writes under way",
    promise: "close",
    told: "writes that had ended when close resolved: expected 84, got",
    edits: [[ALL_WRITTEN, ""]],
  },
  {
    mistake: "`close` waits for readers that nobody pulls any more",
    caught: "close does not wait for a reader that stopped pulling",
    promise: "close",
    told: "close neither resolved nor rejected for 1 s",
    edits: [
      [OPENED, `${OPENED}\n  let readers = 0;`],
      [PULLS, `readers++;\n      try {\n        ${PULLS}\n      } finally {\n        readers--;\n      }`],
      [CLOSED, `${CLOSED}\n      if (readers > 0) await new Promise(() => {});`],
    ],
  },
  {
    mistake: "a second `close` rejects",
    caught: "close may be called twice, one after the other and at once",
    promise: "close",
    told: "close rejected: ActivityError (STORAGE_CLOSED): the storage is closed",
    edits: [[CLOSED, `current();\n      ${CLOSED}`]],
  },
  {
    mistake: "a call that has nothing to do never ends",
    caught: "creating a taken id answers false and changes nothing",
    promise: "createBucket",
    told: "createBucket neither resolved nor rejected for 1 s",
    edits: [["await next;", "await (changed === kept ? new Promise(() => {}) : next);"]],
  },
  {
    mistake: "an answer is a value, not a promise",
    caught: "a new storage has no buckets",
    promise: "listBuckets",
    told: "listBuckets: expected a promise, got []",
    edits: [["listBuckets: async () =>", "listBuckets: () =>"]],
  },
];
