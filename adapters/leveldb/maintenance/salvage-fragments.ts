import type { LogBatch, SegmentName, StoredEntry } from "../../segments/store.js";

/** What is still there of a damaged store. Nothing of it is trusted: what has a checksum is checked by who uses it. */
export interface Fragments {
  readonly root: string | undefined;
  /** Texts with their checksums, by key. */
  readonly records: ReadonlyMap<string, string>;
  readonly entries: readonly StoredEntry[];
  /** All segments of which there are bytes. */
  readonly segments: readonly SegmentName[];
  /** The bytes of a segment; `undefined` when there are none, or they cannot be read. */
  readSegment(segment: SegmentName): Promise<Uint8Array | undefined>;
  /** In the order in which they were begun. */
  readonly logs: readonly LogFragment[];
}

/** What is readable of a log. */
export interface LogFragment {
  /** For people. */
  readonly name: string;
  /** Whole batches, in their order. */
  readonly batches: readonly FoundBatch[];
  /** Bytes that are part of no whole batch. */
  readonly skippedBytes: number;
  /** Whether these bytes are what an interrupted write leaves at the end, and nothing else. */
  readonly isOnlyCutOff: boolean;
}

/** A batch of a log. */
export interface FoundBatch extends LogBatch {
  /** Whether something before it could not be read, so that no opening has ever seen it. */
  readonly isBehindGap: boolean;
}
