/**
 * The promises of `Storage`, word for word as they stand in `src/storage` (some in `src/domain`), so that a failing
 * case names the sentence that was broken.
 */
const PROMISES = {
  atomic: "Each method is atomic: it takes effect as a whole or rejects and changes nothing.",
  callOrder: "Writes to one bucket take effect in the order of the calls; buckets are independent of each other.",
  visible: "A resolved write has reached `traits.durability`, and every later call sees it.",
  eventOrder: "Events are ordered by (timestamp, id).",
  bothEnds: "Both ends of a range count: an event that only touches it is in.",
  ids: `An id is an integer >= 1, unique and growing within its bucket; not dense, and not shared with other buckets.
    None is given out twice, not even after a deletion or a reopening.`,
  givenIds: "Ids that callers bring move the counter above themselves",
  lastIds: "all but the last 2^32 that a double can hold",
  newId: "a new id is never one that the same call brings.",
  lossless:
    "Values come back as they were given: any JSON value, any text (NUL, lone surrogates, `__proto__` as a key).",
  unchanged: "Never changed in place.",
  noValidation: "Storage never validates, clips or knows HTTP.",
  noSuchBucket: "A method that names a bucket which does not exist rejects with `NO_SUCH_BUCKET`",
  closed: "after `close()` every method rejects with `STORAGE_CLOSED`.",
  lazy: "An adapter's factory returns at once, unopened: `ready()` opens. Any other method opens first, too.",
  ready: "Opens the storage, once; resolves when it can be used.",
  traits: "What holds for a storage, told to people and to the contract suite.",
  snapshot: "Whether a read shows the bucket as it was when the read was made, whatever is written meanwhile.",
  multiProcess: "Whether several processes may use the same data at once.",
  deviceId: "The random UUID of this storage, made and kept at the first call.",
  listBuckets: "The records of all buckets, in the order of their creation.",
  getBucket: "Resolves `undefined` for an unknown id.",
  summaries: `Buckets with their first and last time: all of them in the order of their creation, or those of the ids
    that exist, in the order of the ids.`,
  createBucket: "Creates a bucket together with its events, all or nothing.",
  createTaken: "`undefined`, with nothing changed, when the id is taken",
  createUnless: `It is not created if the record \`unless\` exists, which is looked up in the same step.`,
  updateBucket: "Resolves `false` when there is no such bucket.",
  patch: "Fields of a bucket to change; an absent one stays. `data` replaces the old one as a whole.",
  deleteBucket: "Deletes the bucket and all its events. Resolves `false` when there is no such bucket.",
  summaryStart: "Smallest event start in microseconds, `null` for an empty bucket.",
  summaryEnd: "Largest event end in microseconds, `null` for an empty bucket.",
  putAllOrNone: "Stores drafts, all or none.",
  putNew: "A draft without an id is appended under a new one;",
  putReplaces: "a draft with the id of an event of this bucket replaces that event;",
  putUnknownId: "with an id that this bucket does not hold it is stored under that id.",
  putLastWins: "Of several drafts with one id the last wins.",
  putOtherBucket: "Ids of other buckets have no meaning here.",
  putResult: "the stored events, one for each draft, in the same order",
  mergeEvents: `Stores those drafts that the bucket did not hold before, by (timestamp, duration, data); the order of
    keys does not count, ids of drafts are ignored.`,
  mergeTwins: "Equal drafts within one call are all stored, or none of them.",
  mergeResult: "how many were stored",
  heartbeat:
    "Merges a heartbeat into its merge target by `mergeHeartbeat`, or appends it as a new event; its id is ignored.",
  mergeTarget: `The merge target is the event that the previous heartbeat of this bucket made or extended, as long as it
    exists and \`putEvents\` or \`mergeEvents\` has not written to the bucket since; otherwise the event with the
    greatest (timestamp, id).`,
  mergeTargetKept: "It is part of the stored state: the same after a reopening, and for every process.",
  heartbeatResult: "the event that now covers the heartbeat",
  getEvent: "Resolves `undefined` when this bucket has no event with that id.",
  read: "Reads the events that overlap a range, as of the moment at which it resolves.",
  batches: "The events, each batch with at least one, rows and batches in the order asked for.",
  readStops: "a consumer that stops early (`break`, `return()`) frees what the read holds.",
  batchStays: "A batch never changes once it was handed out.",
  batchText: "The same as JSON text.",
  readLimit: "Most events to read.",
  readOrder: "`newest`: by (timestamp, id) descending; `oldest`: ascending.",
  readVersion: "The version of the bucket that the batches show.",
  version: "An opaque token that changes whenever a read of the bucket could return something else;",
  versions: "The versions of buckets, one for each id; `null` stands for the list of bucket records.",
  changes: `What was written behind a cursor, and what is written from then on, in an order that every reader sees alike:
    a page at once, and another one whenever there is something to tell.`,
  changesNow: "Without a cursor the first page is empty, and tells the cursor of now.",
  changePull: `A pull waits until there is a page. A consumer that stops (\`break\`, \`return()\`, also while a pull waits)
    frees what the feed holds;`,
  changesGone: "`CHANGES_GONE` for a cursor older than what is kept, or for none of this data",
  countEvents: "How many events overlap a range.",
  deleteEvents: "Deletes those of the given events that this bucket holds. Resolves how many they were.",
  recordKeys: "Small JSON records of one kind. Keys are any text.",
  recordKinds: `A private store of small JSON records for what a server keeps for itself: keys, sessions, rules. Part of
    \`backup()\`, never of settings or exports.`,
  compareAndSet: "Replaces a record if it still has the expected value, by JSON equality.",
  compareResult: "whether it was replaced",
  transact: "Changes several buckets, and private records, in one step: for renaming, merging and moving.",
  transactWaits: `Writes to the buckets of a transaction that come meanwhile wait for it, and find what it left: a
    bucket that it renamed is gone.`,
  transactWhole: "Reads see all of its changes or none.",
  transactCircle: "Transactions never wait for each other in a circle.",
  transactPlan: "told what there is, tells the changes; when it throws, nothing changes",
  transactRecords: "`false`, with nothing changed, when a record did not have its expected value",
  transactRefuses: "`INVALID_INPUT` for an id that is given twice, for a change of a bucket that is not among them",
  transactOrder: "One change of a transaction. Each sees those before it in the list.",
  transactRename: `Gives a bucket another id. Everything else stays: its events and their ids, its merge target, its
    place.`,
  transactDrafts: "Ids are given for each batch by itself, as by `putEvents`.",
  transactView: "What a transaction sees: its buckets as they are while it holds them.",
  transactReads: "Reads that it began may go on while its changes are made, and show none of them.",
  transactNextId: "An id from which on the bucket gave none out",
  trash: `Buckets whose IDs start with \`.trash/\` are the trash, a space of its own. For an adapter they are buckets
    like any other: the server hides them (\`mainSpaceOf\` in \`space.ts\`).`,
  backup: `Everything that is stored, as of one moment, while writing goes on: settings, records, and each bucket
    followed by its events in ascending order.`,
  verify: "Reads everything that is kept and checks it.",
  usage: "How much is stored, without reading the events.",
  eraseDeleted: `Sees to it that nothing which was deleted or replaced before the call can be found any more in the files of
    this storage`,
  verifySound: "what is damaged or orphaned; an empty list of problems for a sound storage",
  close: "Waits for writes under way, then releases everything. May be called twice.",
  settingsGet: "Resolves `undefined` for an unknown key.",
  settingsList: "All of them, in no particular order.",
  settingsPut: "Creates or replaces.",
  settingsDelete: "Resolves whether there was one.",
  settingsKeys: "Named JSON values that clients keep on the server. Keys are any text.",
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
