import { Interner } from "../../src/domain/interner.js";
import type { JsonObject } from "../../src/domain/json.js";
import { serializeTimestamp } from "../../src/domain/time.js";
import { ActivityError, messageOf, quote, storageClosed } from "../../src/errors.js";
import { LruCache } from "../../src/util/lru-cache.js";
import type { CacheMemory } from "../../src/util/memory-budget.js";
import type { BucketState } from "./bucket-state.js";
import { readFailure } from "./failures.js";
import { type Block, decodeSegment } from "./segment-codec.js";
import type { SegmentEntry } from "./segment-entry.js";
import type { SegmentStore } from "./store.js";

/** Estimated memory of a segment per stored byte. Its objects are shared. */
const MEMORY_PER_BYTE = 3;
/** Reads above this part of the cache bypass it, since they would only evict more useful segments. */
const CACHED_PART = 0.75;

/** Returns the content of a segment. */
export type BlockSource = (entry: SegmentEntry) => Promise<Block>;

/** Reads and checks segments, and caches recently used ones. */
export class SegmentCache {
  readonly #store: SegmentStore;
  readonly #onDamage: (error: ActivityError, entry: SegmentEntry) => void;
  #cache: LruCache<SegmentEntry, Block>;
  /** Segments of a bucket have much data in common. */
  #texts: Interner = new Interner();
  #memory: CacheMemory | undefined;
  #isClosed = false;

  /**
   * @param cacheBytes maximum number of bytes
   * @param onDamage called for each damaged segment
   */
  constructor(store: SegmentStore, cacheBytes: number, onDamage: (error: ActivityError, entry: SegmentEntry) => void) {
    this.#store = store;
    this.#onDamage = onDamage;
    this.#cache = new LruCache(cacheBytes, { admitsReusedOnly: true });
  }

  /** Counts the cache in the memory of the first server that uses the storage, which limits it further. */
  useMemory(memory: CacheMemory): void {
    if (this.#memory !== undefined) return;
    this.#memory = memory;
    const cacheBytes = this.#cache.limit;
    this.#clear();
    this.#cache = new LruCache(cacheBytes, { memory, name: "segments", admitsReusedOnly: true });
    this.#texts = new Interner(undefined, { memory, name: "data" });
  }

  /** A source for a read of some segments. A large read bypasses the cache. */
  sourceFor(bucket: BucketState, entries: readonly SegmentEntry[]): BlockSource {
    const size = entries.reduce((sum, { bytes }) => sum + bytes, 0) * MEMORY_PER_BYTE;
    const isCached = size <= this.#cache.limit * CACHED_PART;
    return async (entry) => {
      const known = this.#getCached(entry);
      if (known !== undefined) return known;
      const block = await this.read(bucket, entry);
      if (isCached && !this.#isClosed) this.#cache.put(entry, block, block.bytes);
      return block;
    };
  }

  /** The content of a segment that is unlikely to be read again soon: does not enter the cache. */
  async scan(bucket: BucketState, entry: SegmentEntry): Promise<Block> {
    return this.#getCached(entry) ?? this.read(bucket, entry);
  }

  /**
   * Reads a segment from the store.
   *
   * @throws ActivityError `STORAGE_CORRUPT` with bucket and time range, `STORAGE_FAILED`
   */
  async read(bucket: BucketState, entry: SegmentEntry): Promise<Block> {
    let bytes: Uint8Array | undefined;
    try {
      bytes = await this.#store.readSegment(entry);
    } catch (cause) {
      if (this.#isClosed) throw storageClosed();
      throw readFailure(cause);
    }
    try {
      if (bytes === undefined) throw new Error("it is missing");
      return this.#decode(entry, bytes);
    } catch (cause) {
      const error = damaged(bucket, entry, cause);
      this.#onDamage(error, entry);
      throw error;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#clear();
  }

  #clear(): void {
    this.#cache.clear();
    this.#texts.clear();
  }

  #getCached(entry: SegmentEntry): Block | undefined {
    if (this.#isClosed) throw storageClosed();
    return this.#cache.get(entry);
  }

  #decode(entry: SegmentEntry, bytes: Uint8Array): Block {
    const block = decodeSegment(entry, bytes, (text) => this.#texts.intern(text, () => JSON.parse(text) as JsonObject));
    const { batch } = block;
    const isThatOf =
      batch.length === entry.count &&
      batch.timestamps[0] === entry.first[0] &&
      batch.timestamps[batch.length - 1] === entry.last[0];
    if (!isThatOf) throw new Error("it does not match its entry");
    return block;
  }
}

function damaged(bucket: BucketState, entry: SegmentEntry, cause: unknown): ActivityError {
  const range = `${serializeTimestamp(entry.first[0])} to ${serializeTimestamp(entry.ends[1])}`;
  const reason = messageOf(cause);
  const message = `events of bucket ${quote(bucket.bucket.id)} from ${range} are damaged: ${reason}`;
  return new ActivityError("STORAGE_CORRUPT", message, { cause });
}
