import { DistinctTexts } from "../../src/domain/distinct-texts.js";
import type { JsonObject } from "../../src/domain/json.js";
import { Recent } from "../../src/domain/recent.js";
import { ActivityError } from "../../src/errors.js";
import type { Snapshot, TextDatabase } from "./database.js";
import { segmentKey } from "./layout.js";
import type { BlockSource } from "./read.js";
import { type Block, decodeSegment } from "./segment.js";
import type { SegmentEntry } from "./segment-entry.js";
import type { Shelf } from "./shelf.js";

/** Segments as they were at one moment. To be closed. */
export interface BlockView {
  readonly blockOf: BlockSource;
  close(): Promise<void>;
}

/** Up to this many segments a read holds what is in memory rather than a snapshot of the database. */
const PINNED_SEGMENTS = 4;

/** A read of more than this part of the cache would only push out what is used again. */
const CACHED_PART = 0.75;

/** What a segment takes in memory for each byte that it has on disk. Roughly; its objects are shared. */
const MEMORY_PER_BYTE = 3;

/** Reads sealed segments, through a cache. */
export class SealedBlocks {
  readonly #database: TextDatabase;
  readonly #name: string;
  readonly #cacheBytes: number;
  /** The decoded segments that were used last. */
  readonly #cache: Recent<SegmentEntry, Block>;
  /** Segments of a bucket hold much the same data. */
  readonly #texts: DistinctTexts = new DistinctTexts();

  /** @param name what to call the database in messages */
  constructor(database: TextDatabase, name: string, cacheBytes: number) {
    this.#database = database;
    this.#name = name;
    this.#cacheBytes = cacheBytes;
    this.#cache = new Recent(cacheBytes);
  }

  /** Fixes the content of segments: later writes do not touch what the view shows. */
  view(shelf: Shelf, segments: readonly SegmentEntry[]): BlockView {
    const unwritten = new Map(segments.length > 0 ? shelf.unwritten : []);
    const pinned = segments.length <= PINNED_SEGMENTS ? this.#pin(segments) : new Map<SegmentEntry, Block>();
    const size = segments.reduce((sum, { bytes }) => sum + bytes, 0) * MEMORY_PER_BYTE;
    const cached = size <= this.#cacheBytes * CACHED_PART;
    const inMemory = segments.every((entry) => pinned.has(entry) || unwritten.has(entry));
    const snapshot = inMemory ? undefined : this.#database.snapshot();
    return {
      blockOf: async (entry) => {
        const known = pinned.get(entry) ?? this.#cache.get(entry);
        if (known !== undefined) return known;
        const bytes = unwritten.get(entry) ?? (await this.#read(shelf, entry, snapshot));
        const block = this.#decode(shelf, entry, bytes);
        if (cached) this.#cache.put(entry, block, block.bytes);
        return block;
      },
      close: async () => snapshot?.close(),
    };
  }

  /** Reads segments and closes the view behind it. */
  async reading<T>(
    shelf: Shelf,
    segments: readonly SegmentEntry[],
    use: (blockOf: BlockSource) => Promise<T>,
  ): Promise<T> {
    const view = this.view(shelf, segments);
    try {
      return await use(view.blockOf);
    } finally {
      // Not waited for: what `use` has changed in memory must be committed without a pause.
      view.close().catch(() => undefined);
    }
  }

  clear(): void {
    this.#cache.clear();
  }

  #pin(segments: readonly SegmentEntry[]): Map<SegmentEntry, Block> {
    const pinned = new Map<SegmentEntry, Block>();
    for (const entry of segments) {
      const block = this.#cache.get(entry);
      if (block !== undefined) pinned.set(entry, block);
    }
    return pinned;
  }

  async #read(shelf: Shelf, entry: SegmentEntry, snapshot: Snapshot | undefined): Promise<Uint8Array | undefined> {
    if (snapshot === undefined) return undefined;
    const key = segmentKey(shelf.bucketNo, entry.segmentNo);
    try {
      return await this.#database.getBytes(key, snapshot);
    } catch (cause) {
      throw new ActivityError("STORAGE_FAILED", `cannot read from ${this.#name}: ${String(cause)}`, { cause });
    }
  }

  #decode(shelf: Shelf, entry: SegmentEntry, bytes: Uint8Array | undefined): Block {
    try {
      if (bytes === undefined) throw new Error("it is missing");
      const block = decodeSegment(bytes, (text) => this.#texts.objectOf(text, () => JSON.parse(text) as JsonObject));
      if (block.count !== entry.count) throw new Error(`it holds ${block.count} events instead of ${entry.count}`);
      return block;
    } catch (cause) {
      const what = `segment ${entry.segmentNo} of bucket ${JSON.stringify(shelf.bucket.id)} in ${this.#name}`;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ActivityError("STORAGE_CORRUPT", `${what} is damaged: ${reason}`, { cause });
    }
  }
}
