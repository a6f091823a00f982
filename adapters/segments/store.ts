import type { StorageProblem } from "../../src/storage/health.js";

/**
 * Where the segment engine keeps its bytes: the only interface that a binding implements. A store knows nothing of
 * events. It keeps four kinds of things:
 *
 * - *segments*: immutable byte strings, each named by a bucket number and a segment number that is never used again;
 * - *entries*: one short text for each segment, all of them handed over at the opening;
 * - *records*: short texts by key, and one of them apart, the *root*;
 * - the *log*: batches of text in the order of their sequence numbers.
 *
 * Checksums over segments, entries, records and the root are the engine's; a store checks its log and its own framing.
 */
export interface SegmentStore {
  /** What to call the storage in messages for its operator, e.g. `folder /data`. */
  readonly name: string;

  /**
   * Opens the store and reads all but the segments. Takes whatever lock it has.
   *
   * @throws ActivityError `STORAGE_LOCKED`, `STORAGE_CORRUPT`, `STORAGE_TOO_NEW`, `STORAGE_TOO_OLD`,
   *   `STORAGE_UNUSABLE`, `STORAGE_FULL`, `STORAGE_FAILED`
   */
  open(): Promise<OpenedStore>;

  /**
   * Appends a batch to the log, wholly or not at all; returns or resolves when it has reached the durability asked for.
   * The engine appends one batch after another, never two at a time.
   *
   * When it throws or rejects, the batch does not count, and nothing is appended before the next `beginLog`.
   *
   * @throws Error; `cause.code` or `code` is `ENOSPC`, `EDQUOT` or `EFBIG` where there is no space. An error with
   *   `mayBeStored: true` says that the batch could be found by the next opening all the same
   */
  append(batch: LogBatch): void | Promise<void>;

  /** Resolves when every appended batch would survive a power loss, as far as the store can see to that. */
  force(): Promise<void>;

  /**
   * Begins a new log in the place of the one before. Its first batch is a snapshot: it holds everything that is in no
   * commit yet, so once this resolves nothing that was appended earlier is needed, nor ever found again, acknowledged
   * or not. Until it resolves the log before still counts. Called first thing before the first append of an opening,
   * when the log has grown long, and after a failed append. Never while an append or a commit is under way.
   *
   * The new log is forced to the disk whatever the durability; it can be told from every earlier one, also when places
   * or names are used again (a fresh salt or name).
   */
  beginLog(snapshot: LogBatch): Promise<void>;

  /**
   * Sets whom to tell when a log failed between two appends, for example while it was forced in the background: nothing
   * is appended to it before the next `beginLog`.
   */
  watchLog?(onFailed: () => void): void;

  /** Bytes of the log that an opening would have to read now. */
  readonly logBytes: number;

  /**
   * Keeps a change of segments, entries, records and root, wholly or not at all, forced to the disk. All log batches
   * that it depends on were forced before. Never two at a time.
   *
   * When it rejects, it is in doubt whether the commit counts until `recover` has told.
   */
  commit(commit: Commit): Promise<void>;

  /**
   * Makes the store usable again after a failed commit. Reads go on meanwhile.
   *
   * @returns the number of the commit that the store holds now; everything refused before and not held is gone for good
   */
  recover(): Promise<number>;

  /** The bytes of a segment; `undefined` when there is none. Segments of the latest commit are found at once. */
  readSegment(segment: SegmentName): Promise<Uint8Array | undefined>;

  /** All segments that are kept, for verification; with their sizes where these are known. */
  segments(): AsyncIterable<SegmentName>;

  /** Reads back all else that is kept and checks its framing: what is wrong with it. */
  check?(): Promise<readonly StorageProblem[]>;

  /**
   * Writes anew what still holds values that were dropped or replaced by a commit or a log before. For stores whose
   * files keep them for a while.
   */
  eraseDeleted?(): Promise<void>;

  /** Gives the space of deleted segments back, where the store does not by itself. */
  reclaim?(bucketNo: number): Promise<void>;

  /**
   * Why writes should be refused before they fail, e.g. little space. Asked for each write that is no deletion, so it
   * only looks at what is known.
   */
  refusal?(): Error | undefined;

  /** Why nothing can be written: what the store has open is no longer in its place. Asked for by health. */
  lost?(): Error | undefined;

  /** Gives up space that was held in reserve for deletions. Resolves whether there was any. */
  releaseReserve?(): Promise<boolean>;

  /** Does work that gives back space: where little is free, it may use what is held in reserve. */
  withReserve?<T>(work: () => Promise<T>): Promise<T>;

  /**
   * Called before a commit is begun, which would be in doubt if it ran out of space.
   *
   * @param bytes what it adds to the store, for a while
   * @throws ActivityError `STORAGE_FULL` if there is not that much space
   */
  assertRoom?(bytes: number): Promise<void>;

  /** Whether everything that it keeps is encrypted. @default false */
  readonly isEncrypted?: boolean;

  /** Space of the file system, as it was read last. */
  disk?(): { readonly freeBytes: number; readonly totalBytes: number; readonly minFreeBytes: number } | undefined;

  /** Forces the log and releases everything. Never rejects for what the log still holds. */
  close(): Promise<void>;
}

/** Names a segment. */
export interface SegmentName {
  readonly bucketNo: number;
  readonly segmentNo: number;
}

/** A piece of the log. */
export interface LogBatch {
  /** Grows by one from batch to batch, also from opening to opening. */
  readonly sequence: number;
  /** Lines of JSON, without a line break at the end. */
  readonly text: string;
}

/** What a store holds when it is opened. */
export interface OpenedStore {
  /** `undefined` for a new store. */
  readonly root: string | undefined;
  readonly records: Iterable<readonly [key: string, value: string]> | AsyncIterable<readonly [string, string]>;
  readonly entries: Iterable<StoredEntry> | AsyncIterable<StoredEntry>;
  /** Every whole batch of the latest log in order, its snapshot first. Ends at the first one that fails. */
  readonly log: Iterable<LogBatch> | AsyncIterable<LogBatch>;
  /**
   * Told when the log was read: what was dropped although it was whole, files set aside. Empty in the usual case that
   * the end of the log was cut off by a crash.
   */
  problems(): readonly StorageProblem[];
  /** Called when the state was read and nothing that was acknowledged is missing. */
  accept?(): Promise<void>;
}

/** An entry with the segment that it describes. */
export interface StoredEntry extends SegmentName {
  readonly text: string;
}

/** A change that counts as a whole. */
export interface Commit {
  /** Grows from commit to commit. A refused commit's number is not used again. */
  readonly number: number;
  readonly root: string;
  /** Records to put; `undefined` deletes. */
  readonly records: ReadonlyMap<string, string | undefined>;
  readonly putSegments: readonly (StoredEntry & { readonly bytes: Uint8Array })[];
  /** Segments whose entries go; their bytes stay until `dropSegments` names them. */
  readonly deleteEntries: readonly SegmentName[];
  /** Segments whose bytes go, entries or not. */
  readonly dropSegments: readonly SegmentName[];
  /** All entries of a bucket as of this commit, for stores that keep them together. Empty for a deleted bucket. */
  entriesOf(bucketNo: number): Iterable<StoredEntry>;
}
