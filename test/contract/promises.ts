/**
 * The promises of `Storage`, word for word as they stand in `src/storage` (some in `src/domain`), so that a failing
 * case names the sentence that was broken.
 */
const PROMISES = {
  atomic: "Each method is atomic: it takes effect as a whole or rejects and changes nothing.",
  callOrder: "Writes to one bucket take effect in the order of the calls; buckets are independent of each other.",
  visible: "A resolved write has reached `traits.durability`, and every later call sees it.",
  eventOrder: "Events are ordered by (timestamp, id).",
  bothEnds: "Ranges include both ends: an event that only touches a range is part of it.",
  ids: `An ID is an integer >= 1, unique and growing within its bucket; not dense, and not shared with other
    buckets. IDs are never reused, even after a deletion or a reopening.`,
  givenIds: "IDs from callers raise the counter above themselves",
  lastIds: "all but the last 2^32 that a double can represent",
  newId: "a new ID is never one that the same call contains.",
  lossless: "Values are returned unchanged: any JSON value, any string (NUL, lone surrogates, `__proto__` as a key).",
  unchanged: "do not change objects that they have passed or received.",
  noValidation: "Storage never validates, clips or knows HTTP.",
  noSuchBucket: "A method that names an unknown bucket rejects with `NO_SUCH_BUCKET`",
  closed: "after `close()` every method rejects with `STORAGE_CLOSED`.",
  lazy: "An adapter's factory returns at once, unopened: `ready()` opens. Every other method opens it as well.",
  ready: "Opens the storage once; resolves when it can be used.",
  traits: "Properties of a storage, for people and the contract suite.",
  snapshot: "Whether a read shows the bucket as of the start of the read, even if writes follow.",
  multiProcess: "Whether several processes may use the same data at the same time.",
  deviceId: "The random UUID of this storage, created and stored at the first call.",
  listBuckets: "The records of all buckets, in order of creation.",
  getBucket: "Resolves `undefined` for an unknown ID.",
  summaries: `Buckets with the first and last time of their events: all buckets in order of creation, or the
    existing ones of the given IDs, in the order of the IDs.`,
  createBucket: "Creates a bucket together with its events, all or nothing.",
  createTaken: "`undefined`, with nothing changed, if the ID is taken",
  createUnless: `Does not create it if the record \`unless\` exists; the lookup is part of the same step.`,
  updateBucket: "Resolves `false` if the bucket does not exist.",
  patch: "Fields of a bucket to change. Absent ones do not change; `data` is replaced as a whole.",
  deleteBucket: "Deletes the bucket and all its events. Resolves `false` if the bucket does not exist.",
  summaryStart: "Smallest event start in microseconds, `null` for an empty bucket.",
  summaryEnd: "Largest event end in microseconds, `null` for an empty bucket.",
  putAllOrNone: "Stores drafts, all or none.",
  putNew: "A draft without an ID is appended under a new one.",
  putReplaces: "A draft with the ID of an event of this bucket replaces that event;",
  putUnknownId: "a draft with another ID is stored under that ID.",
  putLastWins: "If several drafts have the same ID, the last one wins.",
  putOtherBucket: "IDs of other buckets have no meaning here.",
  putResult: "the stored events, one for each draft, in the same order",
  mergeEvents: `Stores the drafts that the bucket does not contain yet, compared by (timestamp, duration, data). Key
    order and IDs of drafts are ignored.`,
  mergeTwins: "Equal drafts within one call are all stored, or none of them.",
  mergeResult: "the number of stored drafts",
  heartbeat:
    "Merges a heartbeat into its merge target by `mergeHeartbeat`, or appends it as a new event; its ID is ignored.",
  mergeTarget: `The merge target is the event that the previous heartbeat of this bucket created or extended, as
    long as it exists and \`putEvents\` or \`mergeEvents\` has not written to the bucket since; otherwise the event
    with the greatest (timestamp, id).`,
  mergeTargetKept: "It is part of the stored state: the same after a reopening, and for every process.",
  heartbeatResult: "the event that now covers the heartbeat",
  getEvent: "Resolves `undefined` if this bucket has no event with that ID.",
  read: "Reads the events that overlap a range, as of the time at which the promise resolves.",
  batches: "The events, each batch with at least one, rows and batches in the requested order.",
  readStops: "a consumer that stops early (`break`, `return()`) frees the resources of the read.",
  batchStays: "A returned batch never changes.",
  batchText: "The JSON of an entry.",
  readLimit: "Maximum number of events.",
  readOrder: "`newest`: by (timestamp, id) descending; `oldest`: ascending.",
  readVersion: "The version of the bucket in the batches.",
  version: "An opaque token that changes whenever a read of the bucket could return something else;",
  versions: "The versions of buckets, one for each ID; `null` means the list of bucket records.",
  rangeVersions: "The versions of parts of a bucket, one for each range.",
  changes: `Reports the changes after a cursor, then new ones, in the same order for every reader: a page at once,
    and another one whenever there are changes.`,
  changesNow: "Without a cursor the first page is empty and contains the current cursor.",
  changePull: `A pull waits until there is a page. A consumer that stops (\`break\`, \`return()\`, even while a pull
    waits) frees the resources of the feed.`,
  changesGone: "`CHANGES_GONE` for a cursor older than the kept changes, or of other data",
  countEvents: "Counts the events that overlap a range.",
  deleteEvents: "Deletes the given events of this bucket. Resolves the number of deleted events.",
  recordKeys: "Small JSON records of one kind. Keys are arbitrary strings.",
  recordKinds: `A private store of small JSON records for the server's own data: keys, sessions, rules. Part of
    \`backup()\`, never of settings or exports.`,
  compareAndSet: "Replaces a record if it still has the expected value, by JSON equality.",
  compareResult: "whether it was replaced",
  transact: "Changes several buckets and private records in one step: for renaming, merging and moving.",
  transactWaits: `Later writes to the buckets of a transaction wait for it, and find its results: a renamed bucket
    does not exist under its old ID.`,
  transactWhole: "Reads see all of its changes or none.",
  transactCircle: "Transactions never deadlock.",
  transactPlan: "receives the current state and returns the changes; if it throws, nothing changes",
  transactRecords: "`false`, with nothing changed, if a record did not have its expected value",
  transactRefuses: "`INVALID_INPUT` for a repeated ID, for a change of a bucket that is not in the list",
  transactOrder: "One change of a transaction. Each change sees the earlier ones of the list.",
  transactRename: `Changes the ID of a bucket. Everything else stays: its events and their IDs, its merge target,
    its position.`,
  transactDrafts: "Each batch gets its IDs separately, as in `putEvents`.",
  transactView: "The state that a transaction sees: its buckets while it locks them.",
  transactReads: "Reads that it started may continue during its changes, and do not show them.",
  transactNextId: "A lower bound of unused event IDs",
  trash: `Buckets whose IDs start with \`.trash/\` are the trash, a separate space. Adapters treat them like other
    buckets: the server hides them (\`createMainSpace\` in \`space.ts\`).`,
  backup: `All stored data as of one moment, while writes continue: settings, records, and each bucket followed by
    its events in ascending order.`,
  verify: "Reads and checks all stored data.",
  usage: "The size of the stored data, without reading the events.",
  eraseDeleted: `Removes data that were deleted or replaced before the call from the files of this storage`,
  verifySound: "damaged and orphaned data; an empty list of problems for a healthy storage",
  close: "Waits for writes in progress, then releases all resources. It may be called twice.",
  settingsGet: "Resolves `undefined` for an unknown key.",
  settingsList: "Lists all of them in no particular order.",
  settingsPut: "Creates or replaces.",
  settingsDelete: "Resolves whether it existed.",
  settingsKeys: "Named JSON values that clients keep on the server. Keys are arbitrary strings.",
};

/** Name of a promise, for `check.ts`. */
export type PromiseName = keyof typeof PROMISES;

/** The sentence of a promise. */
export function promiseOf(name: PromiseName): string {
  return oneLine(PROMISES[name]);
}

/** All names. */
export function promiseNames(): readonly PromiseName[] {
  return Object.keys(PROMISES) as PromiseName[];
}

/** All sentences. */
export function allPromises(): readonly string[] {
  return Object.values(PROMISES).map(oneLine);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
