import type { Block } from "./segment.js";
import type { SegmentEntry } from "./segment-entry.js";

/** Decoded segments, kept up to a size; the one used longest ago goes first. */
export class BlockCache {
  readonly #limitBytes: number;
  /** In the order of their use. */
  readonly #blocks: Map<SegmentEntry, Block> = new Map();
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get(entry: SegmentEntry): Block | undefined {
    const block = this.#blocks.get(entry);
    if (block === undefined) return undefined;
    this.#blocks.delete(entry);
    this.#blocks.set(entry, block);
    return block;
  }

  put(entry: SegmentEntry, block: Block): void {
    this.delete(entry);
    if (block.bytes > this.#limitBytes) return;
    this.#blocks.set(entry, block);
    this.#bytes += block.bytes;
    for (const oldest of this.#blocks.keys()) {
      if (this.#bytes <= this.#limitBytes) break;
      this.delete(oldest);
    }
  }

  delete(entry: SegmentEntry): void {
    const block = this.#blocks.get(entry);
    if (block === undefined || !this.#blocks.delete(entry)) return;
    this.#bytes -= block.bytes;
  }

  clear(): void {
    this.#blocks.clear();
    this.#bytes = 0;
  }
}
