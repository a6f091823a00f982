import type { JsonValue } from "../../src/domain/json.js";
import { ActivityError, messageOf } from "../../src/errors.js";
import type { StorageProblem } from "../../src/storage/health.js";
import { BucketState, type FlushPosition } from "./bucket-state.js";
import { removeSum } from "./checksum.js";
import { DirtyKeys } from "./dirty-keys.js";
import { entryKey, numberIn, parseRecordKey, SETTING_PREFIX, tombstoneKey } from "./keys.js";
import { replayLog } from "./replay.js";
import { type BucketRecord, NEW_ROOT, parseRoot, type Root } from "./root.js";
import { parseEntry, type SegmentEntry } from "./segment-entry.js";
import type { OpenedStore, SegmentName } from "./store.js";

/** The state in memory: everything except the content of segments. */
export interface State {
  /** By ID, in the order of creation. */
  readonly buckets: Map<string, BucketState>;
  /** Settings and private records, by key; see keys.ts. */
  readonly values: Map<string, JsonValue>;
  /** Segments of deleted buckets, by bucket number. */
  readonly deleted: Map<number, SegmentName[]>;
  /** Keys of records that changed since the latest commit. */
  readonly dirty: DirtyKeys;
  /** Checksums of the latest commit's records, by key. */
  readonly sums: Map<string, number>;
  nextEventId: number;
  nextBucketNo: number;
  /** Numbers of the latest commit and of the latest log batch. */
  commitNumber: number;
  sequence: number;
  /** The latest commit with a line in the log. */
  logged: FlushPosition;
  /** Changes with every change of the bucket list. */
  listChanges: number;
  readonly dropped: readonly SegmentName[];
  readonly problems: StorageProblem[];
  /** Buckets whose segments version 0.2 left out of order. Their indexes are empty until they are rebuilt. */
  readonly disordered: readonly Disordered[];
}

/** A bucket whose index must be rebuilt. */
export interface Disordered {
  readonly bucket: BucketState;
  readonly entries: readonly SegmentEntry[];
}

/** The buckets by their number in the store. */
export function bucketsByNumber({ buckets }: Pick<State, "buckets">): Map<number, BucketState> {
  return new Map(Array.from(buckets.values(), (bucket) => [bucket.bucketNo, bucket]));
}

/** Sorts buckets by creation, and updates their IDs. */
export function sortByCreation(buckets: Map<string, BucketState>): void {
  const sorted = [...buckets.values()].sort((a, b) => a.bucketNo - b.bucketNo);
  buckets.clear();
  for (const bucket of sorted) buckets.set(bucket.bucket.id, bucket);
}

/**
 * Loads the state from an opened store: records and entries of the latest commit, then the log after it.
 *
 * @param name of the storage in messages
 * @throws ActivityError `STORAGE_CORRUPT`, `STORAGE_TOO_NEW`
 */
export async function loadState(opened: OpenedStore, name: string): Promise<State> {
  const root =
    opened.root === undefined ? NEW_ROOT : assertReadable(name, "its root", () => parseRoot(opened.root ?? "", name));
  const loader = new Loader(root, name);
  for await (const [key, stored] of opened.records) loader.record(key, stored);
  for await (const { text, ...segment } of opened.entries) loader.entry(segment, text);
  const state = loader.finish();
  const committed = await replayLog(state, root, opened.log, loader.byNumber);
  if (committed > root.number) {
    throw corrupt(name, `the latest commit is ${root.number}, but ${committed} was acknowledged before`);
  }
  for (const { bucket, entries } of state.disordered) {
    // Deleted since its last commit: drop all of its segments.
    if (state.buckets.get(bucket.bucket.id) === bucket) continue;
    state.deleted.set(bucket.bucketNo, [...entries]);
    state.dirty.add(tombstoneKey(bucket.bucketNo));
  }
  state.problems.push(...opened.problems());
  await opened.accept?.();
  return state;
}

/** Collects the content of a commit. */
class Loader {
  readonly byNumber: Map<number, BucketState> = new Map();
  readonly #root: Root;
  readonly #name: string;
  readonly #records: Map<number, BucketRecord> = new Map();
  readonly #tombstones: Set<number> = new Set();
  readonly #entries: Map<number, SegmentEntry[]> = new Map();
  readonly #values: Map<string, JsonValue> = new Map();
  readonly #sums: Map<string, number> = new Map();
  readonly #disordered: Disordered[] = [];

  constructor(root: Root, name: string) {
    this.#root = root;
    this.#name = name;
  }

  record(key: string, stored: string): void {
    assertReadable(this.#name, `the record ${JSON.stringify(key)}`, () => {
      const { text, sum } = removeSum(key, stored);
      this.#sums.set(key, sum);
      const value = JSON.parse(text) as JsonValue;
      if (key.startsWith("b/")) this.#records.set(numberIn(key), value as unknown as BucketRecord);
      else if (key.startsWith("x/")) this.#tombstones.add(numberIn(key));
      else {
        if (!key.startsWith(SETTING_PREFIX)) parseRecordKey(key);
        this.#values.set(key, value);
      }
    });
  }

  entry(segment: SegmentName, stored: string): void {
    assertReadable(this.#name, `the entry of segment ${segment.segmentNo} of bucket number ${segment.bucketNo}`, () => {
      const { text, sum } = removeSum(entryKey(segment), stored);
      const list = this.#entries.get(segment.bucketNo) ?? [];
      this.#entries.set(segment.bucketNo, list);
      list.push(parseEntry(segment, text, sum));
    });
  }

  finish(): State {
    const digest = Array.from(this.#sums.values()).reduce((total, sum) => (total + sum) >>> 0, 0);
    if (this.#sums.size !== this.#root.records || digest !== this.#root.digest) {
      throw corrupt(this.#name, "records are missing or outdated");
    }
    const deleted = new Map<number, SegmentName[]>();
    for (const bucketNo of this.#tombstones) deleted.set(bucketNo, []);
    for (const [bucketNo, record] of [...this.#records].sort(([a], [b]) => a - b)) this.#addBucket(bucketNo, record);
    for (const [bucketNo, entries] of this.#entries) {
      if (this.byNumber.has(bucketNo)) continue;
      const tombstone = deleted.get(bucketNo);
      if (tombstone === undefined) throw corrupt(this.#name, `the record of bucket number ${bucketNo} is missing`);
      for (const entry of entries) tombstone.push(entry);
    }
    const { number, logged, nextEventId, nextBucketNo, dropped } = this.#root;
    const { sequence } = logged;
    return {
      buckets: new Map(),
      values: this.#values,
      deleted,
      dirty: new DirtyKeys(),
      sums: this.#sums,
      ...{ nextEventId, nextBucketNo, commitNumber: number, sequence, logged, listChanges: 0, dropped, problems: [] },
      disordered: this.#disordered,
    };
  }

  #addBucket(bucketNo: number, { bucket, commit, sequence, entries, digest, nextSegmentNo }: BucketRecord): void {
    const state = new BucketState(bucketNo, bucket);
    const found = this.#entries.get(bucketNo) ?? [];
    state.nextSegmentNo = found.reduce((next, { segmentNo }) => Math.max(next, segmentNo + 1), nextSegmentNo);
    state.flushed = { commit, sequence };
    const reason = loadIndex(state, found, { entries, digest });
    if (reason !== undefined && this.#root.isOrdered === true) {
      throw corrupt(this.#name, `the index of bucket ${JSON.stringify(bucket.id)} is wrong: ${reason}`);
    }
    if (reason !== undefined) this.#disordered.push({ bucket: state, entries: found });
    this.byNumber.set(bucketNo, state);
  }
}

/** Loads the index of a bucket. @returns the reason if that is impossible; the index is empty then */
function loadIndex(
  { index }: BucketState,
  found: readonly SegmentEntry[],
  { entries, digest }: Pick<BucketRecord, "entries" | "digest">,
): string | undefined {
  try {
    index.load(found);
  } catch (cause) {
    return messageOf(cause);
  }
  if (found.length === entries && index.digest === digest) return undefined;
  index.load([]);
  return "entries are missing or outdated";
}

function assertReadable<T>(name: string, what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (ActivityError.is(cause)) throw cause;
    throw corrupt(name, `${what} cannot be read: ${messageOf(cause)}`, cause);
  }
}

/** The error of a damaged storage. */
export function corrupt(name: string, reason: string, cause?: unknown): ActivityError {
  const way = "restore a backup, or recover readable data with `activity-server salvage --data DAMAGED --to NEW`";
  return new ActivityError("STORAGE_CORRUPT", `${name} is damaged: ${reason}; ${way}`, { cause });
}
