import { Interner } from "../../src/domain/interner.js";
import type { JsonObject } from "../../src/domain/json.js";
import { serializeTimestamp } from "../../src/domain/time.js";
import { ActivityError, messageOf, quote, storageClosed } from "../../src/errors.js";
import { LruCache } from "../../src/util/lru-cache.js";
import type { BucketState } from "./bucket-state.js";
import { readFailure } from "./failures.js";
import { type Block, decodeSegment } from "./segment-codec.js";
import type { SegmentEntry } from "./segment-entry.js";
import type { SegmentStore } from "./store.js";

/** What a segment takes in memory for each byte that it has in the store. Roughly; its objects are shared. */
const MEMORY_PER_BYTE = 3;
/** A read of more than this part of the cache would only push out what is used again. */
const CACHED_PART = 0.75;

/** Gives the content of a segment. */
export type BlockSource = (entry: SegmentEntry) => Promise<Block>;

/** Reads segments, checks them, and keeps those that were used last. */
export class SegmentCache {
  readonly #store: SegmentStore;
  readonly #cacheBytes: number;
  readonly #onDamage: (error: ActivityError, entry: SegmentEntry) => void;
  readonly #cache: LruCache<SegmentEntry, Block>;
  /** Segments of a bucket hold much the same data. */
  readonly #texts: Interner = new Interner();
  #isClosed = false;

  /** @param onDamage told of each segment that cannot be read for what it is */
  constructor(store: SegmentStore, cacheBytes: number, onDamage: (error: ActivityError, entry: SegmentEntry) => void) {
    this.#store = store;
    this.#cacheBytes = cacheBytes;
    this.#onDamage = onDamage;
    this.#cache = new LruCache(cacheBytes);
  }

  /** A source for a read of some segments; a large one does not go through the cache. */
  sourceFor(bucket: BucketState, entries: readonly SegmentEntry[]): BlockSource {
    const size = entries.reduce((sum, { bytes }) => sum + bytes, 0) * MEMORY_PER_BYTE;
    const isCached = size <= this.#cacheBytes * CACHED_PART;
    return async (entry) => {
      const known = this.#known(entry);
      if (known !== undefined) return known;
      const block = await this.read(bucket, entry);
      if (isCached && !this.#isClosed) this.#cache.put(entry, block, block.bytes);
      return block;
    };
  }

  /** The content of a segment that is hardly read again soon: what is not in the cache does not come into it. */
  async scan(bucket: BucketState, entry: SegmentEntry): Promise<Block> {
    return this.#known(entry) ?? this.read(bucket, entry);
  }

  /**
   * Reads a segment from the store.
   *
   * @throws ActivityError `STORAGE_CORRUPT` naming bucket and time range, `STORAGE_FAILED`
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
    this.#cache.clear();
  }

  #known(entry: SegmentEntry): Block | undefined {
    if (this.#isClosed) throw storageClosed();
    return this.#cache.get(entry);
  }

  #decode(entry: SegmentEntry, bytes: Uint8Array): Block {
    const block = decodeSegment(entry, bytes, (text) =>
      this.#texts.objectOf(text, () => JSON.parse(text) as JsonObject),
    );
    const { batch } = block;
    const isThatOf =
      batch.length === entry.count &&
      batch.timestamps[0] === entry.first[0] &&
      batch.timestamps[batch.length - 1] === entry.last[0];
    if (!isThatOf) throw new Error("it is not what its entry says");
    return block;
  }
}

function damaged(bucket: BucketState, entry: SegmentEntry, cause: unknown): ActivityError {
  const range = `${serializeTimestamp(entry.first[0])} to ${serializeTimestamp(entry.ends[1])}`;
  const reason = messageOf(cause);
  const message = `events of bucket ${quote(bucket.bucket.id)} from ${range} are damaged: ${reason}`;
  return new ActivityError("STORAGE_CORRUPT", message, { cause });
}
