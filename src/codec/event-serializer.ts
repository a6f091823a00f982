import type { EventBatch } from "../domain/batch.js";
import { LruCache } from "../util/lru-cache.js";
import type { CacheMemory } from "../util/memory-budget.js";
import { ByteWriter } from "./byte-writer.js";
import { type EventForm, estimateBytes, serializeEvents, writeEvents } from "./serialize-events.js";

/** A cached batch, serialized as a whole. */
interface SerializedBatch {
  readonly bytes: Uint8Array;
  /** Start of each event, followed by the end of the last one. */
  readonly starts: Uint32Array;
}

/** Memory for serialized batches, in bytes. */
const KEPT_BYTES = 48 * 1024 * 1024;
/** Maximum size of a batch that is serialized as a whole, in bytes. */
const MAX_WHOLE_BYTES = 1024 * 1024;
/** A part below this share of its batch is serialized separately. */
const WORTH_KEEPING = 1 / 8;
const WITH_IDS: EventForm = { withIds: true };

/** Serializes events with IDs for responses. Caches the bytes of batches that the storage caches, by their origin. */
export class EventSerializer {
  readonly #cache: LruCache<object, SerializedBatch>;
  /**
   * Keys of batches that were requested before, since a batch that is never requested again should not evict others.
   * The cache has keys instead of batches, so that these stay in memory only as long as the storage caches them.
   */
  readonly #keys: WeakMap<EventBatch, object> = new WeakMap();

  constructor(memory?: CacheMemory) {
    this.#cache = new LruCache(KEPT_BYTES, { memory, name: "serialized events" });
  }

  /** The events of a batch, each followed by a comma, in chunks. Do not change them. */
  *serialize(batch: EventBatch): Generator<Uint8Array> {
    const { offset, length } = batch;
    const whole = batch.isKept ? this.#serializeOrigin(batch) : undefined;
    if (whole === undefined) yield* serializeEvents(batch, WITH_IDS);
    else yield whole.bytes.subarray(whole.starts[offset], whole.starts[offset + length]);
  }

  /** The origin of a batch in serialized form, if it was requested before and the batch is a sufficient part of it. */
  #serializeOrigin({ origin, length }: EventBatch): SerializedBatch | undefined {
    const key = this.#keys.get(origin);
    if (key === undefined) {
      this.#keys.set(origin, {});
      return undefined;
    }
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    if (length < origin.length * WORTH_KEEPING) return undefined;
    const room = estimateBytes(origin, 0, MAX_WHOLE_BYTES + 1);
    if (room > MAX_WHOLE_BYTES) return undefined;
    const writer = new ByteWriter(room);
    const starts = new Uint32Array(origin.length + 1);
    writeEvents(writer, origin, 0, { ...WITH_IDS, most: Number.POSITIVE_INFINITY, starts });
    starts[origin.length] = writer.length;
    const whole = { bytes: writer.finish(), starts };
    this.#cache.put(key, whole, whole.bytes.length + starts.byteLength);
    return whole;
  }
}
