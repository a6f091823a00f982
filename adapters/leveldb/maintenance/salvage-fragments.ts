import type { LogBatch, SegmentName, StoredEntry } from "../../segments/store.js";

/** The readable parts of a damaged store. Consumers verify their checksums. */
export interface Fragments {
  readonly root: string | undefined;
  /** Strings with their checksums, by key. */
  readonly records: ReadonlyMap<string, string>;
  readonly entries: readonly StoredEntry[];
  /** All stored segments, valid or not. */
  readonly segments: readonly SegmentName[];
  /** The bytes of a segment; `undefined` if there are none, or they are unreadable. */
  readSegment(segment: SegmentName): Promise<Uint8Array | undefined>;
  /** In the order of their creation. */
  readonly logs: readonly LogFragment[];
}

/** The readable part of a log. */
export interface LogFragment {
  /** For display. */
  readonly name: string;
  /** Whole batches, in their order. */
  readonly batches: readonly FoundBatch[];
  /** Bytes outside of whole batches. */
  readonly skippedBytes: number;
  /** Whether these bytes are only the end of an interrupted write. */
  readonly isOnlyCutOff: boolean;
}

/** A batch of a log. */
export interface FoundBatch extends LogBatch {
  /** Whether unreadable bytes precede it, so that no opening has ever seen it. */
  readonly isAfterGap: boolean;
}
