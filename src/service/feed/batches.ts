import { type FeedChange, type FeedEntry, type FeedReset, serializeChange, visibleChange } from "./message.js";
import type { FeedRing } from "./ring.js";

/** Changes to return at a time, in bytes of JSON. */
const BATCH_BYTES = 64 * 1024;
/** Entries to look at in one go. */
const BATCH_ENTRIES = 10_000;
/** Batches that are kept, because most readers want and may see the same, in bytes of JSON. */
const KEPT_BYTES = 4 * 1024 * 1024;
/** Memory of a batch without its JSON. */
const BATCH_OVERHEAD_BYTES = 500;

/** What a reader wants, and may see. */
export interface FeedView {
  /** The same for readers that get the same messages. */
  readonly key: string;
  /** Whether the reader wants a change, and may learn of it. */
  readonly wants: (change: FeedChange) => boolean;
  readonly sees: (bucketId: string) => boolean;
}

/** A message for a reader, with the cursor after it. */
export interface FeedItem {
  readonly cursor: string;
  readonly message: FeedChange | FeedReset;
  /** The message as JSON. */
  readonly json: string;
}

/** The next messages; none if the reader only should see that the feed works. */
export interface FeedBatch {
  readonly items: readonly FeedItem[];
  /** The cursor after them. */
  readonly cursor: string;
}

/** A batch of the entries from one number up to another one. */
interface Collected {
  readonly first: number;
  readonly next: number;
  readonly batch: FeedBatch;
}

/** Collects the next messages of readers, once for all that are at the same place. */
export class FeedBatches {
  readonly #ring: FeedRing;
  /** By view. */
  readonly #kept: Map<string, Collected> = new Map();
  /** Bytes kept, or replaced since the last clearing. */
  #keptBytes = 0;
  /** The state of the ring that they are of. */
  #version = 0;

  constructor(ring: FeedRing) {
    this.#ring = ring;
  }

  /** The entries from a number on that a reader sees, as many as fit into a batch. */
  collect(view: FeedView, epoch: string, first: number): Collected {
    if (this.#version !== this.#ring.version) {
      this.#version = this.#ring.version;
      this.clear();
    }
    const kept = this.#kept.get(view.key);
    if (kept?.first === first) return kept;
    const items: FeedItem[] = [];
    let bytes = 0;
    let next = first;
    const last = Math.min(this.#ring.next, first + BATCH_ENTRIES);
    while (next < last && bytes < BATCH_BYTES) {
      const entry = this.#ring.get(next++);
      const seen = this.seen(view, entry);
      if (seen === undefined) continue;
      const json = seen === entry.change ? entry.json : serializeChange(seen);
      bytes += json.length;
      items.push({ cursor: cursorOf(epoch, next), message: seen, json });
    }
    const collected = { first, next, batch: { items, cursor: cursorOf(epoch, next) } };
    this.#keptBytes += BATCH_OVERHEAD_BYTES + bytes;
    if (this.#keptBytes > KEPT_BYTES) this.clear();
    this.#kept.set(view.key, collected);
    return collected;
  }

  clear(): void {
    this.#kept.clear();
    this.#keptBytes = 0;
  }

  /** What a reader sees of a change; `undefined` if nothing. */
  seen(view: FeedView, entry: FeedEntry): FeedChange | undefined {
    if (!view.wants(entry.change) || this.#ring.isOutdated(entry)) return undefined;
    return visibleChange(entry.change, view.sees);
  }
}

/** The cursor of a reader whose next entry has a number. */
export function cursorOf(epoch: string, next: number): string {
  return `${epoch}-${next - 1}`;
}
