import type { Bucket } from "../../src/domain/bucket.js";
import { byTime, type StoredEvent } from "../../src/domain/event.js";
import { partsOf, weightOf } from "./chunk.js";
import { type ChunkEntry, type Directory, describe } from "./directory.js";
import type { Shelf } from "./shelf.js";
import { findIn, putInto } from "./tail.js";

/** A chunk that shrinks below this many events is taken apart: they go back to the tail. */
const DISSOLVE_EVENTS = 32;
/** From this many events on the tail is sorted as a whole. */
const MANY_EVENTS = 16;

/** Reads the events of a chunk. */
export type ChunkEvents = (entry: ChunkEntry) => Promise<readonly StoredEvent[]>;

/** The working copy of a shelf: changes are made here, and all of them are stored together or not at all. */
export class Work {
  readonly shelf: Shelf;
  bucket: Bucket;
  directory: Directory;
  partnerId: number | undefined;
  tailWeight: number;
  /** What differs in the tail from that of the shelf, by id; `undefined` for what is gone. */
  readonly changes: Map<number, StoredEvent | undefined> = new Map();
  /** Chunks that are to be written. */
  readonly fresh: Map<ChunkEntry, readonly StoredEvent[]> = new Map();
  /** Chunks that are stored and no longer needed. */
  readonly dropped: Set<ChunkEntry> = new Set();
  #tail: StoredEvent[] | undefined;

  constructor(shelf: Shelf) {
    this.shelf = shelf;
    this.directory = shelf.directory;
    this.partnerId = shelf.partnerId;
    this.tailWeight = shelf.tailWeight;
    this.bucket = shelf.bucket;
  }

  get tail(): readonly StoredEvent[] {
    return this.#tail ?? this.shelf.tail;
  }

  /** Whether there is anything to be stored. */
  get isChanged(): boolean {
    return this.changes.size > 0 || !this.onlyTailDiffers;
  }

  get onlyTailDiffers(): boolean {
    return this.directory === this.shelf.directory && this.bucket === this.shelf.bucket;
  }

  /** Puts events into the tail, over those of their ids there; of equal ids the last wins. */
  put(events: readonly StoredEvent[]): void {
    const tail = this.#ownTail();
    if (events.length < MANY_EVENTS) {
      for (const event of events) {
        const before = findIn(tail, event.id);
        putInto(tail, event, before);
        this.tailWeight += weightOf(event) - (before === undefined ? 0 : weightOf(before));
        this.changes.set(event.id, event);
      }
      return;
    }
    const fresh = new Map(events.map((event) => [event.id, event]));
    this.take(new Set(fresh.keys()));
    for (const [id, event] of fresh) {
      this.tailWeight += weightOf(event);
      this.changes.set(id, event);
    }
    this.#tail = [...this.tail, ...fresh.values()].sort(byTime);
  }

  /** Takes events out of the tail. @returns how many there were */
  take(ids: ReadonlySet<number>): number {
    const before = this.tail.length;
    const kept = this.tail.filter((event) => {
      if (!ids.has(event.id)) return true;
      this.tailWeight -= weightOf(event);
      this.changes.set(event.id, undefined);
      return false;
    });
    if (kept.length < before) this.#tail = kept;
    return before - kept.length;
  }

  /**
   * Puts events in the place of chunks.
   *
   * @param old all chunks whose time they lie in
   * @param events in any order
   */
  seal(old: readonly ChunkEntry[], events: readonly StoredEvent[]): void {
    const entries = partsOf([...events].sort(byTime)).map((part) => {
      const entry = describe(this.shelf.file.term, this.shelf.file.nextChunkNo(), part);
      this.fresh.set(entry, part);
      return entry;
    });
    for (const entry of old) if (!this.fresh.delete(entry)) this.dropped.add(entry);
    this.directory = this.directory.replaced(new Set(old), entries);
  }

  /** Leaves only some events in a chunk; what little may be left goes to the tail. */
  shrink(entry: ChunkEntry, kept: readonly StoredEvent[]): void {
    this.seal([entry], kept.length < DISSOLVE_EVENTS ? [] : kept);
    if (kept.length < DISSOLVE_EVENTS) this.put(kept);
  }

  #ownTail(): StoredEvent[] {
    this.#tail ??= [...this.shelf.tail];
    return this.#tail;
  }
}
