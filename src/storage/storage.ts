import type { EventBatch } from "../domain/batch.js";
import type { Bucket, BucketPatch, BucketSummary } from "../domain/bucket.js";
import type { EventDraft, StoredEvent } from "../domain/event.js";
import type { JsonValue } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import type { Logger } from "../logger.js";
import type { BackupItem } from "./backup.js";
import type { ChangePage } from "./changes.js";
import type { StorageHealth, VerifyProgress, VerifyReport } from "./health.js";
import type { RecordName, RecordStore } from "./records.js";
import type { TransactionPlan } from "./transaction.js";
import type { StorageUsage } from "./usage.js";

/**
 * What a resolved write survives: `nothing` (it is in memory), `process-crash` (the operating system has it),
 * `power-loss` (it was forced to the disk).
 */
export type Durability = "nothing" | "process-crash" | "power-loss";

/** What holds for a storage, told to people and to the contract suite. The service never branches on it. */
export interface StorageTraits {
  /** Short name of the adapter, e.g. `leveldb`. */
  readonly adapter: string;
  readonly durability: Durability;
  /** Whether a read shows the bucket as it was when the read was made, whatever is written meanwhile. */
  readonly snapshotReads: boolean;
  /** Whether several processes may use the same data at once. */
  readonly multiProcess: boolean;
}

/** A span of time, both ends included; a missing end is open. */
export interface TimeRange {
  /** Microseconds since 1970-01-01 UTC. */
  readonly start?: Micros;
  /** Microseconds since 1970-01-01 UTC. */
  readonly end?: Micros;
}

/** Which events to read, how many, and from which side. */
export interface EventRange extends TimeRange {
  /** Most events to read. @default no limit */
  readonly limit?: number;
  /** `newest`: by (timestamp, id) descending; `oldest`: ascending. @default "newest" */
  readonly order?: "newest" | "oldest";
}

/** Named JSON values that clients keep on the server. Keys are any text. */
export interface SettingsStore {
  /** Resolves `undefined` for an unknown key. */
  get(key: string): Promise<JsonValue | undefined>;
  /** All of them, in no particular order. */
  list(): Promise<Map<string, JsonValue>>;
  /** Creates or replaces. */
  put(key: string, value: JsonValue): Promise<void>;
  /** Resolves whether there was one. */
  delete(key: string): Promise<boolean>;
}

/**
 * An opaque token that changes whenever a read of the bucket could return something else; `undefined` when nothing is
 * known: for an unknown bucket, after `close()`, and while a failed write is being undone.
 */
export type VersionToken = string | undefined;

/** What a read gives. */
export interface EventRead {
  /** The version of the bucket that the batches show. */
  readonly version: VersionToken;
  /**
   * The events, each batch with at least one, rows and batches in the order asked for. Iterated once; a consumer that
   * stops early (`break`, `return()`) frees what the read holds. A batch never changes once it was handed out.
   */
  readonly batches: AsyncIterable<EventBatch>;
}

/**
 * Where buckets, events, settings and records live: the only interface an adapter implements.
 *
 * - An adapter's factory returns at once, unopened: `ready()` opens. Any other method opens first, too.
 * - Each method is atomic: it takes effect as a whole or rejects and changes nothing.
 * - Writes to one bucket take effect in the order of the calls; buckets are independent of each other.
 * - A resolved write has reached `traits.durability`, and every later call sees it.
 * - Events are ordered by (timestamp, id). Both ends of a range count: an event that only touches it is in.
 * - An id is an integer >= 1, unique and growing within its bucket; not dense, and not shared with other buckets. None
 *   is given out twice, not even after a deletion or a reopening. Ids that callers bring move the counter above
 *   themselves (all but the last 2^32 that a double can hold: see `counterAbove`), and a new id is never one that the
 *   same call brings.
 * - Values come back as they were given: any JSON value, any text (NUL, lone surrogates, `__proto__` as a key).
 * - Storage never validates, clips or knows HTTP. Callers pass what `domain/` describes and change no object that
 *   they passed in or got out.
 * - Buckets whose IDs start with `.trash/` are the trash, a space of its own. For an adapter they are buckets like any
 *   other: the server hides them (`mainSpaceOf` in `space.ts`).
 * - A method that names a bucket which does not exist rejects with `NO_SUCH_BUCKET`; after `close()` every method
 *   rejects with `STORAGE_CLOSED`. An engine that fails makes the call reject with `STORAGE_FAILED`, one without
 *   space with `STORAGE_FULL`, damaged data with `STORAGE_CORRUPT`.
 */
export interface Storage {
  readonly traits: StorageTraits;
  readonly settings: SettingsStore;

  /**
   * Opens the storage, once; resolves when it can be used. A failed opening is tried again by the next call.
   *
   * @throws ActivityError `STORAGE_LOCKED`, `STORAGE_CORRUPT`, `STORAGE_TOO_NEW`, `STORAGE_TOO_OLD`,
   *   `STORAGE_UNUSABLE`, `STORAGE_FULL`, `STORAGE_FAILED`
   */
  ready(): Promise<void>;

  /** The random UUID of this storage, made and kept at the first call. */
  deviceId(): Promise<string>;

  /** The records of all buckets, in the order of their creation. Walks no events. */
  listBuckets(): Promise<Bucket[]>;
  /** Resolves `undefined` for an unknown id. */
  getBucket(bucketId: string): Promise<Bucket | undefined>;
  /**
   * Buckets with their first and last time: all of them in the order of their creation, or those of the ids that exist,
   * in the order of the ids.
   */
  summaries(bucketIds?: readonly string[]): Promise<BucketSummary[]>;
  /**
   * Creates a bucket together with its events, all or nothing. Ids of drafts are kept, as in `putEvents`. It is not
   * created if the record `unless` exists, which is looked up in the same step.
   *
   * @returns the stored events, one for each draft; `undefined`, with nothing changed, when the id is taken or the
   *   record exists
   */
  createBucket(
    bucket: Bucket,
    drafts?: readonly EventDraft[],
    unless?: RecordName,
  ): Promise<readonly StoredEvent[] | undefined>;
  /** Resolves `false` when there is no such bucket. */
  updateBucket(bucketId: string, patch: BucketPatch): Promise<boolean>;
  /** Deletes the bucket and all its events. Resolves `false` when there is no such bucket. */
  deleteBucket(bucketId: string): Promise<boolean>;

  /**
   * Stores drafts, all or none. A draft without an id is appended under a new one; a draft with the id of an event of
   * this bucket replaces that event; with an id that this bucket does not hold it is stored under that id. Of several
   * drafts with one id the last wins. Ids of other buckets have no meaning here.
   *
   * @returns the stored events, one for each draft, in the same order
   */
  putEvents(bucketId: string, drafts: readonly EventDraft[]): Promise<StoredEvent[]>;

  /**
   * Stores those drafts that the bucket did not hold before, by (timestamp, duration, data); the order of keys does not
   * count, ids of drafts are ignored. Equal drafts within one call are all stored, or none of them.
   *
   * @returns how many were stored
   */
  mergeEvents(bucketId: string, drafts: readonly EventDraft[]): Promise<number>;

  /**
   * Merges a heartbeat into its merge target by `mergeHeartbeat`, or appends it as a new event; its id is ignored.
   *
   * The merge target is the event that the previous heartbeat of this bucket made or extended, as long as it exists and
   * `putEvents` or `mergeEvents` has not written to the bucket since; otherwise the event with the greatest
   * (timestamp, id). It is part of the stored state: the same after a reopening, and for every process.
   *
   * @param pulsetimeMicros longest gap that still counts as the same activity
   * @returns the event that now covers the heartbeat
   */
  heartbeat(bucketId: string, beat: EventDraft, pulsetimeMicros: Micros): Promise<StoredEvent>;

  /** Resolves `undefined` when this bucket has no event with that id. */
  getEvent(bucketId: string, eventId: number): Promise<StoredEvent | undefined>;

  /** Reads the events that overlap a range, as of the moment at which it resolves. */
  read(bucketId: string, range?: EventRange): Promise<EventRead>;

  /**
   * The versions of buckets, one for each id; `null` stands for the list of bucket records. For adapters that notice
   * every change: as long as a version stays, responses and query results are reused. Others leave it out.
   */
  versions?(bucketIds: readonly (string | null)[]): readonly VersionToken[] | Promise<readonly VersionToken[]>;

  /**
   * What was written behind a cursor, and what is written from then on, in an order that every reader sees alike: a
   * page at once, and another one whenever there is something to tell. Without a cursor the first page is empty, and
   * tells the cursor of now. Changes of one kind to one bucket or setting may be told as one, in the place of the last.
   *
   * A pull waits until there is a page. A consumer that stops (`break`, `return()`, also while a pull waits) frees what
   * the feed holds; a pull that fails ends the feed, and the cursor of the last page begins another one. For adapters
   * that can tell; others leave it out.
   *
   * @param after the cursor of a page, of this reader or of another one of the same data
   * @throws ActivityError by a pull: `CHANGES_GONE` for a cursor older than what is kept, or for none of this data
   */
  changes?(after?: string): AsyncIterable<ChangePage>;

  /** How many events overlap a range. */
  countEvents(bucketId: string, range?: TimeRange): Promise<number>;

  /** Deletes those of the given events that this bucket holds. Resolves how many they were. */
  deleteEvents(bucketId: string, eventIds: readonly number[]): Promise<number>;

  /**
   * A private store of small JSON records for what a server keeps for itself: keys, sessions, rules. Part of
   * `backup()`, never of settings or exports.
   *
   * @param kind names the store; any text
   */
  records(kind: string): RecordStore;

  /**
   * Changes several buckets, and private records, in one step: for renaming, merging and moving. Writes to the buckets
   * of a transaction that come meanwhile wait for it, and find what it left: a bucket that it renamed is gone. Reads
   * see all of its changes or none. Transactions never wait for each other in a circle. Adapters that cannot leave it
   * out.
   *
   * @param bucketIds each bucket that is changed, once; also ids that are to be used first
   * @param plan told what there is, tells the changes; when it throws, nothing changes
   * @returns `false`, with nothing changed, when a record did not have its expected value
   * @throws ActivityError `INVALID_INPUT` for an id that is given twice, for a change of a bucket that is not among
   *   them, and for creating a bucket or renaming one where there is one; `NO_SUCH_BUCKET` for other changes of a
   *   bucket that does not exist
   */
  transact?(bucketIds: readonly string[], plan: TransactionPlan): Promise<boolean>;

  /**
   * Everything that is stored, as of one moment, while writing goes on: settings, records, and each bucket followed by
   * its events in ascending order.
   */
  backup(): AsyncIterable<BackupItem>;

  /**
   * Reads everything that is kept and checks it.
   *
   * @param onProgress called now and then
   * @returns what is damaged or orphaned; an empty list of problems for a sound storage
   */
  verify(onProgress?: (progress: VerifyProgress) => void): Promise<VerifyReport>;

  /**
   * Sees to it that nothing which was deleted or replaced before the call can be found any more in the files of this
   * storage: segments, logs and tables are written anew where they hold such text. Writing goes on meanwhile. What the
   * medium keeps, and what copies and backups hold, is beyond it. Adapters whose deletions leave nothing, and those
   * that cannot, leave it out. When it rejects, the deletions stay, and it may be called again.
   */
  eraseDeleted?(): Promise<void>;

  /**
   * How much is stored, without reading the events. Adapters that cannot tell leave it out: then everything is read.
   */
  usage?(): Promise<StorageUsage>;

  /** What the storage noticed so far, or what it finds when it looks. Adapters that notice nothing leave it out. */
  health?(): StorageHealth | Promise<StorageHealth>;

  /** Where to report failed compactions, damage, slow disks and recovery. Called once, before the opening. */
  useLogger?(logger: Logger): void;

  /** Waits for writes under way, then releases everything. May be called twice. */
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
