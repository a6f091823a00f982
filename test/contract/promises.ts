/**
 * The promises of `Storage`, word for word as they stand in `src/storage.ts` (some in `src/domain`), so that
 * a failing case names the sentence that was broken.
 */
const PROMISES = {
  atomic: "Each method is atomic: it takes effect as a whole or rejects and changes nothing.",
  callOrder: "Writes to one bucket take effect in the order of the calls; buckets are independent of each other.",
  visible: "A resolved write has reached `traits.durability`, and every later call sees it.",
  eventOrder: "Events are ordered by (timestamp, id).",
  bothEnds: "Both ends of a range count: an event that only touches it is in.",
  ids: `An id is an integer >= 1, given out by one counter for the whole storage, and never given out twice, not even
    after a deletion or a reopening.`,
  givenIds: "Ids that callers bring move the counter above themselves",
  lastIds: "all but the last 2^32 that a double can hold",
  newId: "a new id is never one that the same call brings.",
  lossless:
    "Values come back as they were given: any JSON value, any text (NUL, lone surrogates, `__proto__` as a key).",
  unchanged: "Never changed in place.",
  noValidation: "Storage never validates, clips or knows HTTP.",
  noSuchBucket: "A method that names a bucket which does not exist rejects with `NO_SUCH_BUCKET`",
  closed: "after `close()` every method rejects with `STORAGE_CLOSED`.",
  traits: "What holds for a storage, told to people and to the contract suite.",
  snapshot: "Whether a read shows the bucket as it was at its first pull, whatever is written meanwhile.",
  deviceId: "The random UUID of this storage, made and kept at the first call.",
  listBuckets: "All buckets, in the order of their creation.",
  getBucket: "Resolves `undefined` for an unknown id.",
  createBucket: "Resolves `false`, and changes nothing, when the id is taken.",
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
  heartbeat:
    "Folds a beat into its partner by `mergeHeartbeat`, or appends it as a new event; the id of the beat is ignored.",
  partner: `The partner is the event that the previous heartbeat of this bucket made or extended, as long as it exists and
    \`putEvents\` has not written to the bucket since; otherwise the event with the greatest (timestamp, id).`,
  partnerReopened: "After a reopening it is the greatest again",
  heartbeatResult: "the event that now covers the beat",
  getEvent: "Resolves `undefined` when this bucket has no event with that id.",
  readEvents: "Reads the events that overlap a range, in chunks, each with at least one event.",
  readStops: "A consumer that stops early (`break`, `return()`) frees what the read holds.",
  readUnknown: "An unknown bucket rejects the first pull.",
  readPrinted: "The events that `readEvents` gives, each with its data as JSON text.",
  readColumns: "All events that `readEvents` gives for a range, oldest first, as columns.",
  revision:
    "A text that becomes another one with every change that a read of the bucket can see, or, without an id, with every",
  readLimit: "Most events to read.",
  readOrder: "`newest`: by (timestamp, id) descending; `oldest`: ascending.",
  countEvents: "How many events overlap a range.",
  deleteEvents: "Deletes those of the given events that this bucket holds. Resolves how many they were.",
  close: "Waits for writes under way, then releases everything. May be called twice.",
  settingsGet: "Resolves `undefined` for an unknown key.",
  settingsList: "All of them, in no particular order.",
  settingsPut: "Creates or replaces.",
  settingsDelete: "Resolves whether there was one.",
  settingsKeys: "Named JSON values. Keys are any text.",
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
