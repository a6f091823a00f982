import type { Bucket } from "../../src/domain/bucket.js";
import { ActivityError } from "../../src/errors.js";
import type { BucketState, FlushPosition } from "./bucket-state.js";
import { removeSum } from "./checksum.js";
import { ROOT_KEY } from "./keys.js";
import type { SegmentName } from "./store.js";

/** Version of the format, checked at the opening. docs/reference/format-leveldb.md describes it. */
export const FORMAT = 2;

/** State of the whole storage in a commit. */
export interface Root {
  /** Number of the commit. */
  readonly number: number;
  /** The latest commit with a line in the log, and its log batch. */
  readonly logged: FlushPosition;
  /** The next event ID and bucket number. */
  readonly nextEventId: number;
  readonly nextBucketNo: number;
  /** Number of records, and the sum of their checksums. */
  readonly records: number;
  readonly digest: number;
  /** Segments without an entry whose bytes may still exist. */
  readonly dropped: readonly SegmentName[];
  /** Whether every index was checked before it was written. Absent in folders of version 0.2. */
  readonly isOrdered?: boolean;
}

export const NEW_ROOT: Root = {
  number: 0,
  logged: { commit: 0, sequence: 0 },
  nextEventId: 1,
  nextBucketNo: 1,
  records: 0,
  digest: 0,
  dropped: [],
  isOrdered: true,
};

export function serializeRoot(root: Root): string {
  const dropped = root.dropped.map(({ bucketNo, segmentNo }) => [bucketNo, segmentNo]);
  return JSON.stringify({ format: FORMAT, cipher: 0, keyId: 0, ...root, dropped, isOrdered: true });
}

/**
 * @param name of the storage in messages
 * @throws ActivityError `STORAGE_TOO_NEW`; Error for a damaged root
 */
export function parseRoot(stored: string, name: string): Root {
  const { text } = removeSum(ROOT_KEY, stored);
  const { format, dropped, ...root } = JSON.parse(text) as Omit<Root, "dropped"> & {
    readonly format: number;
    readonly dropped: readonly (readonly [number, number])[];
  };
  if (format !== FORMAT) throw tooNew(name, format);
  return { ...root, dropped: dropped.map(([bucketNo, segmentNo]) => ({ bucketNo, segmentNo })) };
}

/** The error of an unknown format. */
export function tooNew(name: string, format: unknown): ActivityError {
  const message = `${name} has the storage format ${format}, this version reads ${FORMAT}: update activity-server`;
  return new ActivityError("STORAGE_TOO_NEW", message);
}

/** The record of a bucket in a commit. */
export interface BucketRecord {
  readonly bucket: Bucket;
  /** The flush that its segments contain. */
  readonly commit: number;
  readonly sequence: number;
  /** Number of entries, and the sum of their checksums. */
  readonly entries: number;
  readonly digest: number;
  readonly nextSegmentNo: number;
}

export function bucketRecordOf({ bucket, flushed, index, nextSegmentNo }: BucketState): BucketRecord {
  return { bucket, ...flushed, entries: index.entries.length, digest: index.digest, nextSegmentNo };
}
