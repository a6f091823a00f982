import type { Bucket } from "../../src/domain/bucket.js";
import type { JsonValue } from "../../src/domain/json.js";
import { ActivityError, messageOf, quote } from "../../src/errors.js";
import type { BucketState } from "./bucket-state.js";
import { addSum } from "./checksum.js";
import { bucketKey, entryKey, numberIn, ROOT_KEY, tombstoneKey } from "./keys.js";
import { bucketRecordOf, serializeRoot } from "./root.js";
import { type SegmentEntry, serializeEntry } from "./segment-entry.js";
import type { IndexPlan } from "./segment-index.js";
import type { SegmentPins } from "./segment-pins.js";
import { bucketsByNumber, type State } from "./state.js";
import type { Commit, SegmentName, StoredEntry } from "./store.js";

/** A new segment with its entry. */
export interface NewSegment {
  readonly entry: SegmentEntry;
  readonly bytes: Uint8Array;
}

/** A checked change of a bucket's segments. */
export interface SegmentChange {
  readonly oldEntries: readonly SegmentEntry[];
  readonly newSegments: readonly NewSegment[];
  /** The index after the commit, installed by `CommitPart.committed`. */
  readonly index: IndexPlan;
}

/** A job's part of a commit. */
export interface CommitPart {
  /** Its log lines, written before the commit. Empty if memtable and records do not change. */
  readonly lines: readonly string[];
  /** The bucket whose segments change. */
  readonly bucket?: BucketState;
  /** The change of its segments. */
  readonly segments?: SegmentChange;
  /** The new record of the bucket, if it differs from the one in memory. */
  readonly record?: Bucket;
  /** Whether the commit deletes the bucket. */
  readonly isDeletion?: boolean;
  /** New private records by key; `undefined` deletes. */
  readonly values?: ReadonlyMap<string, JsonValue | undefined>;
  /** Segments of deleted buckets. */
  readonly dropped?: readonly SegmentName[];
  /** Changes the memory after the commit succeeded. Nothing may be visible before. */
  committed(): void;
}

/** Maximum number of segments whose bytes one commit drops. */
const MAX_DROPPED = 512;

/** A commit that is ready to be written. */
export interface Prepared {
  readonly commit: Commit;
  /** Whether log lines belong to it. */
  readonly isLogged: boolean;
  /** Called when the commit succeeded. */
  committed(): void;
}

/** Input of a commit. */
interface Draft {
  readonly state: State;
  readonly pins: SegmentPins;
  readonly number: number;
  /** Number of the log batch that would contain its lines. */
  readonly sequence: number;
  readonly parts: readonly CommitPart[];
  /** Whether it needs a log line in any case, because the log of an earlier opening was never forced. */
  readonly mustLog: boolean;
}

/** Creates a commit of the current state. */
export function prepareCommit({ state, pins, number, sequence, parts, mustLog }: Draft): Prepared {
  const drops = pins.droppable(MAX_DROPPED);
  const captured = state.dirty.captured();
  const changes = new Map(parts.flatMap((part) => (part.bucket === undefined ? [] : [[part.bucket, part] as const])));
  const keys = new Set([...captured.keys(), ...parts.flatMap(changedKeys)]);
  const values = new Map(parts.flatMap((part) => [...(part.values ?? [])]));
  const futures = new Map([...changes].map(([bucket, part]) => [bucket.bucketNo, createFuture(bucket, part)]));
  const sums = new Map(state.sums);
  const records = new Map<string, string | undefined>();
  const byNumber = bucketsByNumber(state);
  for (const bucket of changes.keys()) byNumber.set(bucket.bucketNo, bucket);
  for (const key of keys) {
    const value = recordValue(state, byNumber, key, { number, sequence, futures, values });
    const withSum = value === undefined ? undefined : addSum(key, JSON.stringify(value));
    if (withSum === undefined && !sums.has(key)) continue;
    records.set(key, withSum?.stored);
    if (withSum === undefined) sums.delete(key);
    else sums.set(key, withSum.sum);
  }
  const isLogged = mustLog || captured.size > 0 || parts.some(({ lines }) => lines.length > 0);
  const logged = isLogged ? { commit: number, sequence } : state.logged;
  const gone = new Set(drops);
  const oldEntries = parts.flatMap(({ segments, dropped }): readonly SegmentName[] => [
    ...(segments?.oldEntries ?? []),
    ...(dropped ?? []),
  ]);
  const root = serializeRoot({
    number,
    logged,
    nextEventId: state.nextEventId,
    nextBucketNo: state.nextBucketNo,
    records: sums.size,
    digest: Array.from(sums.values()).reduce((total, sum) => (total + sum) >>> 0, 0),
    dropped: [...pins.waiting.filter((name) => !gone.has(name)), ...oldEntries].map(pickName),
  });
  const commit: Commit = {
    number,
    root: addSum(ROOT_KEY, root).stored,
    records,
    putSegments: parts.flatMap(({ segments }) => segments?.newSegments.map(toStoredSegment) ?? []),
    deleteEntries: oldEntries.map(pickName),
    dropSegments: drops.map(pickName),
    entriesOf: (bucketNo) => entriesOf(futures.get(bucketNo)?.entries ?? byNumber.get(bucketNo)?.index.entries ?? []),
  };
  return {
    commit,
    isLogged,
    committed() {
      state.logged = logged;
      state.dirty.forget(captured);
      state.sums.clear();
      for (const [key, sum] of sums) state.sums.set(key, sum);
      for (const [bucket, { lines }] of changes) if (lines.length > 0) bucket.flushed = { commit: number, sequence };
      pins.removeDropped(drops);
      pins.add(oldEntries);
    },
  };
}

/** A bucket after a commit. */
interface FutureBucket {
  readonly entries: readonly SegmentEntry[];
  readonly digest: number;
  /** Whether its memtable changes as well. */
  readonly isFlush: boolean;
  readonly record: Bucket;
  readonly isDeleted: boolean;
}

/** Keys of the records that a part changes, in addition to dirty ones. */
function changedKeys({ bucket, isDeletion, values }: CommitPart): string[] {
  if (bucket === undefined) return [...(values?.keys() ?? [])];
  return [bucketKey(bucket.bucketNo), ...(isDeletion ? [tombstoneKey(bucket.bucketNo)] : [])];
}

function createFuture({ bucket, index }: BucketState, part: CommitPart): FutureBucket {
  const { lines, record = bucket, isDeletion = false } = part;
  const { entries, digest } = part.segments?.index ?? index;
  return { entries, digest, isFlush: lines.length > 0, record, isDeleted: isDeletion };
}

interface Position {
  readonly number: number;
  readonly sequence: number;
  readonly futures: ReadonlyMap<number, FutureBucket>;
  readonly values: ReadonlyMap<string, JsonValue | undefined>;
}

/** Value of a record in a commit; `undefined` if it is deleted. */
function recordValue(
  state: State,
  byNumber: ReadonlyMap<number, BucketState>,
  key: string,
  { number, sequence, futures, values }: Position,
): JsonValue | undefined {
  if (key.startsWith("x/")) {
    const future = futures.get(numberIn(key));
    return state.deleted.has(numberIn(key)) || (future?.isDeleted && future.entries.length > 0) ? {} : undefined;
  }
  if (!key.startsWith("b/")) return values.has(key) ? values.get(key) : state.values.get(key);
  const bucket = byNumber.get(numberIn(key));
  if (bucket === undefined) return undefined;
  const future = futures.get(bucket.bucketNo);
  if (future?.isDeleted) return undefined;
  const record = {
    ...bucketRecordOf(bucket),
    ...(future === undefined ? {} : { bucket: future.record, entries: future.entries.length, digest: future.digest }),
    ...(future?.isFlush ? { commit: number, sequence } : {}),
  };
  return record as unknown as JsonValue;
}

function pickName({ bucketNo, segmentNo }: SegmentName): SegmentName {
  return { bucketNo, segmentNo };
}

function toStoredSegment({ entry, bytes }: NewSegment): Commit["putSegments"][number] {
  return { ...toStoredEntry(entry), bytes };
}

function toStoredEntry(entry: SegmentEntry): StoredEntry {
  const name = pickName(entry);
  return { ...name, text: addSum(entryKey(name), serializeEntry(entry)).stored };
}

function* entriesOf(entries: readonly SegmentEntry[]): Generator<StoredEntry> {
  for (const entry of entries) yield toStoredEntry(entry);
}

/** Schedules a deleted bucket's tombstone for the next commit. */
export function markDeleted(state: State, bucket: BucketState): void {
  state.dirty.add(bucketKey(bucket.bucketNo));
  if (bucket.index.entries.length === 0) return;
  state.deleted.set(bucket.bucketNo, [...bucket.index.entries]);
  state.dirty.add(tombstoneKey(bucket.bucketNo));
}

/**
 * Plans a commit's change of a bucket's segments.
 *
 * @throws ActivityError `STORAGE_CORRUPT` if the index would be wrong: failing is better than wrong reads later
 */
export function planSegments(
  { bucket, index }: Pick<BucketState, "bucket" | "index">,
  oldEntries: readonly SegmentEntry[],
  newSegments: readonly NewSegment[],
): SegmentChange {
  try {
    const fresh = newSegments.map(({ entry }) => entry);
    return { oldEntries, newSegments, index: index.plan(oldEntries, fresh) };
  } catch (cause) {
    const message = `the index of bucket ${quote(bucket.id)} would be wrong after this change: ${messageOf(cause)}`;
    throw new ActivityError("STORAGE_CORRUPT", `${message}; nothing was changed`, { cause });
  }
}
