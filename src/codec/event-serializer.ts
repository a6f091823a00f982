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
/** Bytes per event of such a batch, which is kept alive with its bytes. */
const BATCH_BYTES_PER_EVENT = 32;
/** Maximum size of a batch that is serialized as a whole, in bytes. */
const MAX_WHOLE_BYTES = 1024 * 1024;
/** A part below this share of its batch is serialized separately. */
const WORTH_KEEPING = 1 / 8;
const WITH_IDS: EventForm = { withIds: true };

/** Serializes events with IDs for responses. Caches the bytes of batches that the storage caches, by their origin. */
export class EventSerializer {
  readonly #cache: LruCache<EventBatch, SerializedBatch>;
  /** Batches that were requested before, since a batch that is never requested again should not evict others. */
  readonly #seen: WeakSet<EventBatch> = new WeakSet();

  constructor(memory?: CacheMemory) {
    this.#cache = new LruCache(KEPT_BYTES, { memory, name: "serialized events" });
  }

  /** The events of a batch, each followed by a comma, in chunks. Do not change them. */
  *serialize(batch: EventBatch): Generator<Uint8Array> {
    const { origin, offset, length } = batch;
    const whole = batch.isKept ? (this.#cache.get(origin) ?? this.#serializeOrigin(batch)) : undefined;
    if (whole === undefined) yield* serializeEvents(batch, WITH_IDS);
    else yield whole.bytes.subarray(whole.starts[offset], whole.starts[offset + length]);
  }

  /** Serializes the origin of a batch if the batch is a sufficient part of it. */
  #serializeOrigin({ origin, length }: EventBatch): SerializedBatch | undefined {
    const isNew = !this.#seen.has(origin);
    this.#seen.add(origin);
    if (isNew || length < origin.length * WORTH_KEEPING) return undefined;
    const room = estimateBytes(origin, 0, MAX_WHOLE_BYTES + 1);
    if (room > MAX_WHOLE_BYTES) return undefined;
    const writer = new ByteWriter(room);
    const starts = new Uint32Array(origin.length + 1);
    writeEvents(writer, origin, 0, { ...WITH_IDS, most: Number.POSITIVE_INFINITY, starts });
    starts[origin.length] = writer.length;
    const whole = { bytes: writer.finish(), starts };
    const weight = whole.bytes.length + starts.byteLength;
    this.#cache.put(
      origin,
      whole,
      weight + (origin.table.utf8?.bytes.length ?? 0) + origin.length * BATCH_BYTES_PER_EVENT,
    );
    return whole;
  }
}
