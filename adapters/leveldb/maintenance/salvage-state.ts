import type { Bucket } from "../../../src/domain/bucket.js";
import type { JsonValue } from "../../../src/domain/json.js";
import { messageOf } from "../../../src/errors.js";
import type { StorageProblem } from "../../../src/storage/health.js";
import { removeSum } from "../../segments/checksum.js";
import { entryKey, numberIn, parseRecordKey, SETTING_PREFIX } from "../../segments/keys.js";
import { type BucketRecord, parseRoot, type Root } from "../../segments/root.js";
import { parseEntry, type SegmentEntry } from "../../segments/segment-entry.js";
import type { SegmentName } from "../../segments/store.js";
import type { Fragments } from "./salvage-fragments.js";
import { type BucketLog, type CommitState, findCommitNumber, type LogState, replayFragments } from "./salvage-log.js";

/** The state of a damaged storage before its segments are read. */
export interface SalvagedState {
  /** In the order of creation, without deleted ones. */
  readonly buckets: readonly SalvagedBucketState[];
  /** Settings and private records by key. */
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly problems: readonly StorageProblem[];
}

/** The state of one bucket. */
export interface SalvagedBucketState {
  readonly bucketNo: number;
  /** `undefined` if its record is lost. */
  readonly bucket: Bucket | undefined;
  /** The newest last: if a replaced entry has reappeared, the later one wins. */
  readonly entries: readonly SegmentEntry[];
  /** Segments without an entry that may belong to it. */
  readonly orphans: readonly SegmentName[];
  /** How many entries are lost; `undefined` if that is unknown. */
  readonly lostEntries: number | undefined;
  readonly log: BucketLog | undefined;
}

/** Combines records, entries and logs. */
export function combineFragments(fragments: Fragments): SalvagedState {
  const problems: StorageProblem[] = [];
  const root = readRoot(fragments, problems);
  const { records, values, tombstones, sums } = readRecords(fragments, problems);
  const digest = Array.from(sums.values()).reduce((total, sum) => (total + sum) >>> 0, 0);
  const isComplete = root !== undefined && sums.size === root.records && digest === root.digest;
  if (root !== undefined && !isComplete) {
    const message =
      sums.size < root.records
        ? `${root.records - sums.size} of ${root.records} records (buckets, settings) are lost`
        : "records (buckets, settings) belong to another state: deleted or changed data may have reappeared";
    problems.push({ kind: "missing", message });
  }
  const commit: CommitState = { root, records, isComplete, has: (key) => sums.has(key) };
  const logs = replayFragments(fragments.logs, commit);
  describeCommit(root, findCommitNumber(fragments.logs), problems);
  describeLogs(fragments, root, logs, problems);
  for (const [key, value] of logs.values) {
    if (value === undefined) values.delete(key);
    else values.set(key, value);
  }
  const buckets = new Buckets(fragments, problems, root).all({ records, tombstones, logs });
  return { buckets, values, problems };
}

function readRoot({ root }: Fragments, problems: StorageProblem[]): Root | undefined {
  if (root === undefined) return undefined;
  try {
    return parseRoot(root, "the folder");
  } catch (cause) {
    problems.push({ kind: "damaged", message: `the root record cannot be read: ${messageOf(cause)}` });
    return undefined;
  }
}

/** Reports a lost latest commit: its content is unknown. */
function describeCommit(root: Root | undefined, committed: number, problems: StorageProblem[]): void {
  if (committed <= (root?.number ?? 0)) return;
  const found = root === undefined ? "no commit is" : `only commit ${root.number} is`;
  const message = `commit ${committed} is lost, ${found} left: older buckets, settings and events may be missing`;
  problems.push({ kind: "missing", message });
}

interface Records {
  readonly records: Map<number, BucketRecord>;
  readonly values: Map<string, JsonValue>;
  readonly tombstones: Set<number>;
  /** All readable sums, by key. */
  readonly sums: Map<string, number>;
}

function readRecords(fragments: Fragments, problems: StorageProblem[]): Records {
  const found: Records = { records: new Map(), values: new Map(), tombstones: new Set(), sums: new Map() };
  for (const [key, stored] of fragments.records) {
    try {
      const { text, sum } = removeSum(key, stored);
      const value = JSON.parse(text) as JsonValue;
      if (key.startsWith("b/")) found.records.set(numberIn(key), value as unknown as BucketRecord);
      else if (key.startsWith("x/")) found.tombstones.add(numberIn(key));
      else {
        if (!key.startsWith(SETTING_PREFIX)) parseRecordKey(key);
        found.values.set(key, value);
      }
      found.sums.set(key, sum);
    } catch (cause) {
      problems.push({ kind: "damaged", message: `the record ${printable(key)} cannot be read: ${messageOf(cause)}` });
    }
  }
  return found;
}

function describeLogs(
  { logs }: Fragments,
  root: Root | undefined,
  { unknownLines }: LogState,
  problems: StorageProblem[],
): void {
  const latest = logs.findLastIndex(({ batches: [first] }) => first !== undefined && !first.isAfterGap);
  if (latest < 0)
    problems.push({
      kind: "missing",
      message: "the start of the log is lost: the newest changes may be lost as well",
    });
  else if ((logs[latest]?.batches.at(-1)?.sequence ?? 0) < (root?.logged.sequence ?? 0)) {
    problems.push({ kind: "missing", message: "the log ends before the latest commit: newest changes are lost" });
  }
  for (const [index, { name, skippedBytes, isOnlyCutOff, batches }] of logs.entries()) {
    // A later log starts with a snapshot of the current state.
    if (skippedBytes === 0 || (isOnlyCutOff && index !== latest)) continue;
    const after = batches.filter(({ isAfterGap }) => isAfterGap).length;
    const what = isOnlyCutOff
      ? " at its end: a write that was interrupted, or newest changes"
      : `; ${after} batches after them were read`;
    const message = `${skippedBytes} bytes of the log ${name} cannot be read${what}`;
    problems.push({ kind: isOnlyCutOff ? "dropped" : "damaged", message });
  }
  if (unknownLines > 0) problems.push({ kind: "damaged", message: `${unknownLines} lines of the log are unknown` });
}

/** Groups fragments by bucket. */
class Buckets {
  readonly #problems: StorageProblem[];
  readonly #entries: Map<number, SegmentEntry[]> = new Map();
  readonly #loose: Map<number, SegmentName[]> = new Map();

  constructor(fragments: Fragments, problems: StorageProblem[], root: Root | undefined) {
    this.#problems = problems;
    const known = new Set((root?.dropped ?? []).map(entryKey));
    for (const { text: stored, ...name } of fragments.entries) {
      try {
        const { text, sum } = removeSum(entryKey(name), stored);
        listIn(this.#entries, name.bucketNo).push(parseEntry(name, text, sum));
        known.add(entryKey(name));
      } catch {
        // Reported as a missing entry of its bucket; the segment is treated as one without an entry.
      }
    }
    for (const name of fragments.segments) {
      if (!known.has(entryKey(name))) listIn(this.#loose, name.bucketNo).push(name);
    }
  }

  all({ records, tombstones, logs }: Pick<Records, "records" | "tombstones"> & { readonly logs: LogState }) {
    const numbers = new Set([
      ...records.keys(),
      ...this.#entries.keys(),
      ...this.#loose.keys(),
      ...logs.buckets.keys(),
    ]);
    const found: SalvagedBucketState[] = [];
    for (const bucketNo of [...numbers].sort((a, b) => a - b)) {
      const log = logs.buckets.get(bucketNo);
      if (log?.isDeleted || tombstones.has(bucketNo)) continue;
      const state = this.#state(bucketNo, records.get(bucketNo), log);
      // A bucket without any of these only has lines such as a counter.
      const isThere = state.bucket !== undefined || state.entries.length + state.orphans.length > 0;
      if (isThere || (log?.seen.size ?? 0) > 0) found.push(state);
    }
    return found;
  }

  #state(bucketNo: number, record: BucketRecord | undefined, log: BucketLog | undefined): SalvagedBucketState {
    const entries = (this.#entries.get(bucketNo) ?? []).sort((a, b) => a.segmentNo - b.segmentNo);
    const loose = this.#loose.get(bucketNo) ?? [];
    const bucket = log?.bucket ?? record?.bucket;
    if (record === undefined) {
      // A bucket that only the log has is not in any commit yet, and has no segments.
      const lostEntries = entries.length + loose.length === 0 ? 0 : undefined;
      if (bucket === undefined) {
        this.#problems.push({ kind: "missing", message: `the record of bucket number ${bucketNo} is lost` });
      }
      return { bucketNo, bucket, entries, orphans: loose, lostEntries, log };
    }
    const digest = entries.reduce((total, { sum }) => (total + sum) >>> 0, 0);
    const isComplete = entries.length === record.entries && digest === record.digest;
    const lostEntries = Math.max(0, record.entries - entries.length);
    if (!isComplete && lostEntries === 0) {
      const message = "its index belongs to another state: deleted or changed data may have reappeared";
      this.#problems.push({ kind: "missing", message, bucketId: record.bucket.id });
    }
    // A segment without an entry in a complete bucket was replaced or deleted.
    return { bucketNo, bucket, entries, orphans: isComplete ? [] : loose, lostEntries, log };
  }
}

function listIn<T>(lists: Map<number, T[]>, bucketNo: number): T[] {
  const list = lists.get(bucketNo) ?? [];
  lists.set(bucketNo, list);
  return list;
}

function printable(key: string): string {
  return JSON.stringify(key.slice(0, 60));
}
