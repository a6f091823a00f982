import type { Bucket, BucketPatch, BucketSummary } from "./domain/bucket.js";
import type { EventDraft, PrintedChunk, StoredEvent } from "./domain/event.js";
import type { EventList } from "./domain/event-list.js";
import type { JsonValue } from "./domain/json.js";
import type { Micros } from "./domain/time.js";

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
  /** Whether a read shows the bucket as it was at its first pull, whatever is written meanwhile. */
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

/** Named JSON values. Keys are any text. */
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
 * Where buckets, events and settings live: the only interface an adapter implements.
 *
 * - Each method is atomic: it takes effect as a whole or rejects and changes nothing.
 * - Writes to one bucket take effect in the order of the calls; buckets are independent of each other.
 * - A resolved write has reached `traits.durability`, and every later call sees it.
 * - Events are ordered by (timestamp, id). Both ends of a range count: an event that only touches it is in.
 * - An id is an integer >= 1, given out by one counter for the whole storage, and never given out twice, not even
 *   after a deletion or a reopening. Ids that callers bring move the counter above themselves (all but the last 2^32
 *   that a double can hold: see `counterAbove`), and a new id is never one that the same call brings.
 * - Values come back as they were given: any JSON value, any text (NUL, lone surrogates, `__proto__` as a key).
 * - Storage never validates, clips or knows HTTP. Callers pass what `domain/` describes and change no object that
 *   they passed in or got out.
 * - A method that names a bucket which does not exist rejects with `NO_SUCH_BUCKET`; after `close()` every method
 *   rejects with `STORAGE_CLOSED`. An engine that fails makes the call reject with `STORAGE_FAILED`.
 */
export interface Storage {
  readonly traits: StorageTraits;
  readonly settings: SettingsStore;

  /** The random UUID of this storage, made and kept at the first call. */
  deviceId(): Promise<string>;

  /** All buckets, in the order of their creation. */
  listBuckets(): Promise<BucketSummary[]>;
  /** Resolves `undefined` for an unknown id. */
  getBucket(bucketId: string): Promise<BucketSummary | undefined>;
  /** Resolves `false`, and changes nothing, when the id is taken. */
  createBucket(bucket: Bucket): Promise<boolean>;
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
   * Folds a beat into its partner by `mergeHeartbeat`, or appends it as a new event; the id of the beat is ignored.
   *
   * The partner is the event that the previous heartbeat of this bucket made or extended, as long as it exists and
   * `putEvents` has not written to the bucket since; otherwise the event with the greatest (timestamp, id).
   * After a reopening it is the greatest again (contract rest.md 4.4).
   *
   * @param pulsetime microseconds
   * @returns the event that now covers the beat
   */
  heartbeat(bucketId: string, beat: EventDraft, pulsetime: Micros): Promise<StoredEvent>;

  /** Resolves `undefined` when this bucket has no event with that id. */
  getEvent(bucketId: string, eventId: number): Promise<StoredEvent | undefined>;

  /**
   * Reads the events that overlap a range, in chunks, each with at least one event. A consumer that stops early
   * (`break`, `return()`) frees what the read holds. An unknown bucket rejects the first pull.
   */
  readEvents(bucketId: string, range?: EventRange): AsyncIterable<readonly StoredEvent[]>;

  /**
   * The events that `readEvents` gives, each with its data as JSON text. For adapters that keep data as text anyway:
   * whoever only prints them is spared the parsing. An adapter that keeps many events in one place gives them as runs
   * of one list, each time the same, so that what was printed of it can be sent again. Others leave it out.
   */
  readPrinted?(bucketId: string, range?: EventRange): AsyncIterable<PrintedChunk>;

  /**
   * All events that `readEvents` gives for a range, oldest first, as columns. For adapters that keep columns anyway:
   * queries are spared the making of objects. Others leave it out.
   */
  readColumns?(bucketId: string, range?: TimeRange): AsyncIterable<EventList>;

  /**
   * A text that becomes another one with every change that a read of the bucket can see, or, without an id, with every
   * change of what describes the buckets; `undefined` for an unknown bucket, once the storage is closed, and while what
   * a failed write has left must be cleared away. For adapters that see all changes: as long as it stays, answers to
   * reads and queries are given again. Others leave it out.
   */
  revision?(bucketId?: string): string | undefined;

  /** How many events overlap a range. */
  countEvents(bucketId: string, range?: TimeRange): Promise<number>;

  /** Deletes those of the given events that this bucket holds. Resolves how many they were. */
  deleteEvents(bucketId: string, eventIds: readonly number[]): Promise<number>;

  /** Waits for writes under way, then releases everything. May be called twice. */
  close(): Promise<void>;
}
