import type { StorageProblem } from "../../src/storage/health.js";

/**
 * The byte store of the segment engine: the only interface that a binding implements. A store knows nothing about
 * events. It contains four kinds of values:
 *
 * - *segments*: immutable bytes, each named by a bucket number and a segment number, which are never reused;
 * - *entries*: one short text per segment, all of them returned at the opening;
 * - *records*: short texts by key, and separately the *root*;
 * - the *log*: batches of text in the order of their sequence numbers.
 *
 * The engine adds checksums to segments, entries, records and the root; a store checks its log and its own framing.
 */
export interface SegmentStore {
  /** Name in messages for the operator, e.g. `folder /data`. */
  readonly name: string;

  /**
   * Opens the store, locks it if possible, and reads everything except the segments.
   *
   * @throws ActivityError `STORAGE_LOCKED`, `STORAGE_CORRUPT`, `STORAGE_TOO_NEW`, `STORAGE_TOO_OLD`,
   * `STORAGE_UNUSABLE`, `STORAGE_FULL`, `STORAGE_FAILED`
   */
  open(): Promise<OpenedStore>;

  /**
   * Appends a batch to the log, completely or not at all. Returns or resolves when it has the configured durability.
   * The engine appends one batch at a time.
   *
   * When it throws or rejects, the batch is void, and nothing is appended before the next `beginLog`.
   *
   * @throws Error; `cause.code` or `code` is `ENOSPC`, `EDQUOT` or `EFBIG` for a lack of space. `mayBeStored: true`
   * means that the next opening may still find the batch
   */
  append(batch: LogBatch): void | Promise<void>;

  /** Resolves when every appended batch would survive a power loss, as far as the store can ensure that. */
  force(): Promise<void>;

  /**
   * Starts a new log that replaces the previous one. Its first batch is a snapshot of everything that no commit
   * contains yet, so that earlier batches, acknowledged or not, are no longer needed, and must never be found again,
   * once this resolves. Until then the previous log is valid. Called before the first append of an opening, when the
   * log has become long, and after a failed append. Never called during an append or a commit.
   *
   * The new log is forced to the disk, whatever the durability. It must be distinguishable from every earlier one, even
   * if places or names are reused (by a new salt or name).
   */
  beginLog(snapshot: LogBatch): Promise<void>;

  /**
   * Sets a callback for a log that failed between two appends, for example when it was forced in the background.
   * Nothing is appended before the next `beginLog`.
   */
  watchLog?(onFailed: () => void): void;

  /** Bytes of the log that an opening would have to read now. */
  readonly logBytes: number;

  /**
   * Writes a change of segments, entries, records and root, completely or not at all, forced to the disk. All log
   * batches that it depends on were forced before. Never called concurrently.
   *
   * When it rejects, the outcome is uncertain until `recover` resolves.
   */
  commit(commit: Commit): Promise<void>;

  /**
   * Makes the store usable after a failed commit. Reads continue in the meantime.
   *
   * @returns number of the store's current commit; any failed commit after it is permanently void
   */
  recover(): Promise<number>;

  /**
   * The bytes of a segment; `undefined` if it does not exist. Segments of the latest commit are available immediately.
   */
  readSegment(segment: SegmentName): Promise<Uint8Array | undefined>;

  /** All stored segments, for verification; with their sizes, if known. */
  segments(): AsyncIterable<SegmentName>;

  /** Reads all other stored values, checks their framing and returns problems. */
  check?(): Promise<readonly StorageProblem[]>;

  /** Rewrites files that still contain dropped or replaced values. For stores whose files keep them for some time. */
  eraseDeleted?(): Promise<void>;

  /** Frees the space of deleted segments, if the store does not do so automatically. */
  reclaim?(bucketNo: number): Promise<void>;

  /**
   * Reason to reject writes before they fail, e.g. little space. Called for each write except deletions, so it only
   * checks known facts.
   */
  refusal?(): Error | undefined;

  /** Reason why nothing can be written: the store's open files are no longer in place. Called for health checks. */
  lost?(): Error | undefined;

  /** Releases the space reserved for deletions. Resolves to whether there was any. */
  releaseReserve?(): Promise<boolean>;

  /** Runs work that frees space. It may use the reserved space if little is free. */
  withReserve?<T>(work: () => Promise<T>): Promise<T>;

  /**
   * Called before a commit, whose outcome would be uncertain if it ran out of space.
   *
   * @param bytes temporary growth of the store
   * @throws ActivityError `STORAGE_FULL` if there is too little space
   */
  assertRoom?(bytes: number): Promise<void>;

  /** Whether all stored values are encrypted. @default false */
  readonly isEncrypted?: boolean;

  /** Space of the file system at the last check. */
  disk?(): { readonly freeBytes: number; readonly totalBytes: number; readonly minFreeBytes: number } | undefined;

  /** Forces the log and releases everything. Never rejects because of the log. */
  close(): Promise<void>;

  /**
   * Deletes everything of a store that is not open, whether it could be opened or not. If it rejects or is cut off,
   * another call continues.
   *
   * @throws ActivityError `STORAGE_LOCKED` for a store that is open; `STORAGE_UNUSABLE` for one with other data
   */
  destroy?(): Promise<void>;
}

/** Name of a segment. */
export interface SegmentName {
  readonly bucketNo: number;
  readonly segmentNo: number;
}

/** A part of the log. */
export interface LogBatch {
  /** Increases by one from batch to batch, even across openings. */
  readonly sequence: number;
  /** JSON lines, without a line break at the end. */
  readonly text: string;
}

/** Content of an opened store. */
export interface OpenedStore {
  /** `undefined` for a new store. */
  readonly root: string | undefined;
  readonly records: Iterable<readonly [key: string, value: string]> | AsyncIterable<readonly [string, string]>;
  readonly entries: Iterable<StoredEntry> | AsyncIterable<StoredEntry>;
  /** All complete batches of the latest log in order, its snapshot first. Ends at the first damaged one. */
  readonly log: Iterable<LogBatch> | AsyncIterable<LogBatch>;
  /**
   * Called after the log was read. Returns batches that were intact but dropped, and files set aside. Empty in the
   * usual case, in which a crash truncated the end of the log.
   */
  problems(): readonly StorageProblem[];
  /** Called after the state was read, if no acknowledged change is missing. */
  accept?(): Promise<void>;
}

/** An entry with the name of its segment. */
export interface StoredEntry extends SegmentName {
  readonly text: string;
}

/** An atomic change. */
export interface Commit {
  /** Increases from commit to commit. The number of a failed commit is not reused. */
  readonly number: number;
  readonly root: string;
  /** Records to put; `undefined` deletes. */
  readonly records: ReadonlyMap<string, string | undefined>;
  readonly putSegments: readonly (StoredEntry & { readonly bytes: Uint8Array })[];
  /** Segments whose entries are deleted. Their bytes stay until `dropSegments` contains them. */
  readonly deleteEntries: readonly SegmentName[];
  /** Segments whose bytes are deleted, with or without entries. */
  readonly dropSegments: readonly SegmentName[];
  /** All entries of a bucket after this commit, for stores that keep them together. Empty for a deleted bucket. */
  entriesOf(bucketNo: number): Iterable<StoredEntry>;
}
