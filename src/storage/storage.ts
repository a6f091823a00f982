import type { EventBatch } from "../domain/batch.js";
import type { Bucket, BucketPatch, BucketSummary } from "../domain/bucket.js";
import type { EventDraft, StoredEvent } from "../domain/event.js";
import type { JsonValue } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import type { Logger } from "../logger.js";
import type { CacheMemory } from "../util/memory-budget.js";
import type { BackupItem } from "./backup.js";
import type { ChangePage } from "./changes.js";
import type { StorageHealth, VerifyProgress, VerifyReport } from "./health.js";
import type { RecordName, RecordStore } from "./records.js";
import type { TransactionPlan } from "./transaction.js";
import type { StorageUsage } from "./usage.js";

/**
 * Failures that an acknowledged write survives: `nothing` (it is in memory), `process-crash` (the operating system has
 * it), `power-loss` (it was forced to the disk).
 */
export type Durability = "nothing" | "process-crash" | "power-loss";

/** Properties of a storage, for people and the contract suite. The service never branches on them. */
export interface StorageTraits {
  /** Short name of the adapter, e.g. `leveldb`. */
  readonly adapter: string;
  readonly durability: Durability;
  /** Whether a read shows the bucket as of the start of the read, even if writes follow. */
  readonly snapshotReads: boolean;
  /** Whether several processes may use the same data at the same time. */
  readonly multiProcess: boolean;
}

/** A time range, both ends included; a missing end is open. */
export interface TimeRange {
  /** Microseconds since 1970-01-01 UTC. */
  readonly start?: Micros;
  /** Microseconds since 1970-01-01 UTC. */
  readonly end?: Micros;
}

/** Selects events to read: time range, limit and order. */
export interface EventRange extends TimeRange {
  /** Maximum number of events. @default no limit */
  readonly limit?: number;
  /** `newest`: by (timestamp, id) descending; `oldest`: ascending. @default "newest" */
  readonly order?: "newest" | "oldest";
}

/** Named JSON values that clients keep on the server. Keys are arbitrary strings. */
export interface SettingsStore {
  /** Resolves `undefined` for an unknown key. */
  get(key: string): Promise<JsonValue | undefined>;
  /** Lists all of them in no particular order. */
  list(): Promise<Map<string, JsonValue>>;
  /** Creates or replaces. */
  put(key: string, value: JsonValue): Promise<void>;
  /** Resolves whether it existed. */
  delete(key: string): Promise<boolean>;
}

/**
 * An opaque token that changes whenever a read of the bucket could return something else; `undefined` if the version is
 * unknown: for an unknown bucket, after `close()`, and while a failed write is being undone.
 */
export type VersionToken = string | undefined;

/** The result of a read. */
export interface EventRead {
  /** The version of the bucket in the batches. */
  readonly version: VersionToken;
  /**
   * The events, each batch with at least one, rows and batches in the requested order. Iterated once; a consumer that
   * stops early (`break`, `return()`) frees the resources of the read. A returned batch never changes.
   */
  readonly batches: AsyncIterable<EventBatch>;
}

/**
 * The store of buckets, events, settings and records: the only interface that an adapter implements.
 *
 * - An adapter's factory returns at once, unopened: `ready()` opens. Every other method opens it as well.
 * - Each method is atomic: it takes effect as a whole or rejects and changes nothing.
 * - Writes to one bucket take effect in the order of the calls; buckets are independent of each other.
 * - A resolved write has reached `traits.durability`, and every later call sees it.
 * - Events are ordered by (timestamp, id). Ranges include both ends: an event that only touches a range is part of it.
 * - An ID is an integer >= 1, unique and growing within its bucket; not dense, and not shared with other buckets.
 *   IDs are never reused, even after a deletion or a reopening. IDs from callers raise the counter above themselves
 *   (all but the last 2^32 that a double can represent: see `counterAbove`), and a new ID is never one that the same
 *   call contains.
 * - Values are returned unchanged: any JSON value, any string (NUL, lone surrogates, `__proto__` as a key).
 * - Storage never validates, clips or knows HTTP. Callers pass the types of `domain/` and do not change objects that
 *   they have passed or received.
 * - Buckets whose IDs start with `.trash/` are the trash, a separate space. Adapters treat them like other buckets:
 *   the server hides them (`createMainSpace` in `space.ts`).
 * - A method that names an unknown bucket rejects with `NO_SUCH_BUCKET`; after `close()` every method rejects with
 *   `STORAGE_CLOSED`. A failing engine makes the call reject with `STORAGE_FAILED`, missing disk space with
 *   `STORAGE_FULL`, damaged data with `STORAGE_CORRUPT`.
 */
export interface Storage {
  readonly traits: StorageTraits;
  readonly settings: SettingsStore;

  /**
   * Opens the storage once; resolves when it can be used. The next call tries a failed opening again.
   *
   * @throws ActivityError `STORAGE_LOCKED`, `STORAGE_CORRUPT`, `STORAGE_TOO_NEW`, `STORAGE_TOO_OLD`,
   *   `STORAGE_UNUSABLE`, `STORAGE_FULL`, `STORAGE_FAILED`
   */
  ready(): Promise<void>;

  /** The random UUID of this storage, created and stored at the first call. */
  deviceId(): Promise<string>;

  /** The records of all buckets, in order of creation. Does not read events. */
  listBuckets(): Promise<Bucket[]>;
  /** Resolves `undefined` for an unknown ID. */
  getBucket(bucketId: string): Promise<Bucket | undefined>;
  /**
   * Buckets with the first and last time of their events: all buckets in order of creation, or the existing ones of the
   * given IDs, in the order of the IDs.
   */
  summaries(bucketIds?: readonly string[]): Promise<BucketSummary[]>;
  /**
   * Creates a bucket together with its events, all or nothing. Keeps IDs of drafts, as `putEvents` does. Does not
   * create it if the record `unless` exists; the lookup is part of the same step.
   *
   * @returns the stored events, one for each draft; `undefined`, with nothing changed, if the ID is taken or the
   *   record exists
   */
  createBucket(
    bucket: Bucket,
    drafts?: readonly EventDraft[],
    unless?: RecordName,
  ): Promise<readonly StoredEvent[] | undefined>;
  /** Resolves `false` if the bucket does not exist. */
  updateBucket(bucketId: string, patch: BucketPatch): Promise<boolean>;
  /** Deletes the bucket and all its events. Resolves `false` if the bucket does not exist. */
  deleteBucket(bucketId: string): Promise<boolean>;

  /**
   * Stores drafts, all or none. A draft without an ID is appended under a new one. A draft with the ID of an event of
   * this bucket replaces that event; a draft with another ID is stored under that ID. If several drafts have the same
   * ID, the last one wins. IDs of other buckets have no meaning here.
   *
   * @returns the stored events, one for each draft, in the same order
   */
  putEvents(bucketId: string, drafts: readonly EventDraft[]): Promise<StoredEvent[]>;

  /**
   * Stores the drafts that the bucket does not contain yet, compared by (timestamp, duration, data). Key order and IDs
   * of drafts are ignored. Equal drafts within one call are all stored, or none of them.
   *
   * @returns the number of stored drafts
   */
  mergeEvents(bucketId: string, drafts: readonly EventDraft[]): Promise<number>;

  /**
   * Merges a heartbeat into its merge target by `mergeHeartbeat`, or appends it as a new event; its ID is ignored.
   *
   * The merge target is the event that the previous heartbeat of this bucket created or extended, as long as it exists
   * and `putEvents` or `mergeEvents` has not written to the bucket since; otherwise the event with the greatest
   * (timestamp, id). It is part of the stored state: the same after a reopening, and for every process.
   *
   * @param pulsetimeMicros longest gap that still belongs to the same activity
   * @returns the event that now covers the heartbeat
   */
  heartbeat(bucketId: string, beat: EventDraft, pulsetimeMicros: Micros): Promise<StoredEvent>;

  /** Resolves `undefined` if this bucket has no event with that ID. */
  getEvent(bucketId: string, eventId: number): Promise<StoredEvent | undefined>;

  /** Reads the events that overlap a range, as of the time at which the promise resolves. */
  read(bucketId: string, range?: EventRange): Promise<EventRead>;

  /**
   * The versions of buckets, one for each ID; `null` means the list of bucket records. While a version stays the
   * same, the server reuses responses and query results. Only for adapters that notice every change.
   */
  versions?(bucketIds: readonly (string | null)[]): readonly VersionToken[] | Promise<readonly VersionToken[]>;

  /**
   * The versions of parts of a bucket, one for each range. Like `versions`, but a version may stay the same if only
   * events outside of the range change, and it must stay valid after a reopening. The server keeps sums of past days
   * with them.
   */
  rangeVersions?(
    bucketId: string,
    ranges: readonly Required<TimeRange>[],
  ): readonly VersionToken[] | Promise<readonly VersionToken[]>;

  /**
   * Reports the changes after a cursor, then new ones, in the same order for every reader: a page at once, and another
   * one whenever there are changes. Without a cursor the first page is empty and contains the current cursor. Changes
   * of one kind to one bucket or setting may be combined into one, at the position of the last.
   *
   * A pull waits until there is a page. A consumer that stops (`break`, `return()`, even while a pull waits) frees the
   * resources of the feed. A failed pull ends the feed; start another one with the cursor of the last page. Optional:
   * only for adapters that know all changes.
   *
   * @param after the cursor of a page, from this reader or another one of the same data
   * @throws ActivityError by a pull: `CHANGES_GONE` for a cursor older than the kept changes, or of other data
   */
  changes?(after?: string): AsyncIterable<ChangePage>;

  /** Counts the events that overlap a range. */
  countEvents(bucketId: string, range?: TimeRange): Promise<number>;

  /** Deletes the given events of this bucket. Resolves the number of deleted events. */
  deleteEvents(bucketId: string, eventIds: readonly number[]): Promise<number>;

  /**
   * A private store of small JSON records for the server's own data: keys, sessions, rules. Part of `backup()`, never
   * of settings or exports.
   *
   * @param kind names the store; any string
   */
  records(kind: string): RecordStore;

  /**
   * Changes several buckets and private records in one step: for renaming, merging and moving. Later writes to the
   * buckets of a transaction wait for it, and find its results: a renamed bucket does not exist under its old ID. Reads
   * see all of its changes or none. Transactions never deadlock. Optional: only for adapters that support it.
   *
   * @param bucketIds each bucket that is changed, once; include new IDs
   * @param plan receives the current state and returns the changes; if it throws, nothing changes
   * @returns `false`, with nothing changed, if a record did not have its expected value
   * @throws ActivityError `INVALID_INPUT` for a repeated ID, for a change of a bucket that is not in the list, and for
   *   creating a bucket or renaming one to an ID that exists; `NO_SUCH_BUCKET` for other changes of an unknown bucket
   */
  transact?(bucketIds: readonly string[], plan: TransactionPlan): Promise<boolean>;

  /**
   * All stored data as of one moment, while writes continue: settings, records, and each bucket followed by its events
   * in ascending order.
   */
  backup(): AsyncIterable<BackupItem>;

  /**
   * Reads and checks all stored data.
   *
   * @param onProgress called from time to time
   * @returns damaged and orphaned data; an empty list of problems for a healthy storage
   */
  verify(onProgress?: (progress: VerifyProgress) => void): Promise<VerifyReport>;

  /**
   * Removes data that were deleted or replaced before the call from the files of this storage: rewrites segments, logs
   * and tables that still contain them. Writes continue in the meantime. It cannot erase remains on the medium, in
   * copies or in backups. Optional: adapters whose deletions leave nothing, and adapters without support, do not have
   * it. If it rejects, the deletions stay, and you can call it again.
   */
  eraseDeleted?(): Promise<void>;

  /** The size of the stored data, without reading the events. Optional: without it, the server reads everything. */
  usage?(): Promise<StorageUsage>;

  /** Problems that the storage has noticed or finds now. Optional. */
  health?(): StorageHealth | Promise<StorageHealth>;

  /** Receives the logger for failed compactions, damage, slow disks and recovery. Called once, before the opening. */
  useLogger?(logger: Logger): void;

  /** Offers memory for caches: the server's, limited by `memoryBudgetBytes`. Called once, before or after opening. */
  useMemory?(memory: CacheMemory): void;

  /** Waits for writes in progress, then releases all resources. It may be called twice. */
  close(): Promise<void>;

  /**
   * Deletes everything permanently, then closes: buckets and trash, settings, records, the device id. Afterwards
   * nothing of it is left in the storage, and a storage that is opened there is a new one. Works even if the storage
   * cannot be opened. Other storages over the same data are refused from their next write on. If it rejects or a crash
   * cuts it off, another call continues. Without it, the server deletes by the other methods.
   *
   * @throws ActivityError `STORAGE_CLOSED` after `close()`; `STORAGE_LOCKED` for a storage that is open elsewhere
   */
  destroy?(): Promise<void>;
}

/** A storage that deletes everything by itself. */
export interface DestroyableStorage extends Storage {
  destroy(): Promise<void>;
}
