import { LazySet } from "../../src/util/lazy-collections.js";
import type { SegmentName } from "./store.js";

/** A read in parts. */
export interface PinnedParts {
  run<T>(part: () => Promise<T>): Promise<T>;
  /** May be called twice. */
  end(): void;
}

/** Keeps unreferenced segments until all reads that may use them have ended. Then their bytes may be dropped. */
export class SegmentPins {
  /** Reads in progress, by their start number; the oldest is first. */
  readonly #reads: LazySet<number> = new LazySet();
  #waiting: { readonly segments: readonly SegmentName[]; readonly since: number }[] = [];
  #clock = 0;

  /** Starts a read, which keeps all current segments. @returns ends the read; may be called twice */
  pin(): () => void {
    const read = ++this.#clock;
    this.#reads.add(read);
    return () => {
      this.#reads.delete(read);
    };
  }

  /** Keeps all current segments until the work is done. */
  async whilePinned<T>(work: () => Promise<T>): Promise<T> {
    const release = this.pin();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Starts a read in parts, which can end while some are under way. These keep the segments as well. */
  pinParts(): PinnedParts {
    const release = this.pin();
    let underWay = 0;
    let isOver = false;
    return {
      async run(part) {
        underWay++;
        try {
          return await part();
        } finally {
          underWay--;
          if (isOver && underWay === 0) release();
        }
      },
      end() {
        isOver = true;
        if (underWay === 0) release();
      },
    };
  }

  /** Adds segments that are unreferenced from now on. */
  add(segments: readonly SegmentName[]): void {
    if (segments.length > 0) this.#waiting.push({ segments, since: this.#clock });
  }

  /** Segments that may be dropped now, limited in number. */
  droppable(most: number): SegmentName[] {
    const [oldest = Number.POSITIVE_INFINITY] = this.#reads;
    const found: SegmentName[] = [];
    for (const { segments, since } of this.#waiting) {
      if (since >= oldest || found.length >= most) break;
      found.push(...segments.slice(0, most - found.length));
    }
    return found;
  }

  /** Removes dropped segments. */
  removeDropped(segments: readonly SegmentName[]): void {
    const gone = new Set(segments);
    this.#waiting = this.#waiting
      .map(({ segments: waiting, since }) => ({ segments: waiting.filter((name) => !gone.has(name)), since }))
      .filter(({ segments: waiting }) => waiting.length > 0);
  }

  /** All waiting segments, for the root: the next opening drops them. */
  get waiting(): readonly SegmentName[] {
    return this.#waiting.flatMap(({ segments }) => [...segments]);
  }
}
