import type { SegmentName } from "./store.js";

/** Keeps unreferenced segments until all reads that may use them have ended. Then their bytes may be dropped. */
export class SegmentHolds {
  /** Reads in progress, by their start number; the oldest is first. */
  readonly #reads: Set<number> = new Set();
  #waiting: { readonly segments: readonly SegmentName[]; readonly behind: number }[] = [];
  #clock = 0;

  /** Starts a read, which keeps all current segments. @returns ends the read; may be called twice */
  begin(): () => void {
    const read = ++this.#clock;
    this.#reads.add(read);
    return () => {
      this.#reads.delete(read);
    };
  }

  /** Keeps all current segments until the work is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const release = this.begin();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Adds segments that are unreferenced from now on. */
  add(segments: readonly SegmentName[]): void {
    if (segments.length > 0) this.#waiting.push({ segments, behind: this.#clock });
  }

  /** Segments that may be dropped now, limited in number. */
  droppable(most: number): SegmentName[] {
    const oldest = this.#reads.values().next().value ?? Number.POSITIVE_INFINITY;
    const found: SegmentName[] = [];
    for (const { segments, behind } of this.#waiting) {
      if (behind >= oldest || found.length >= most) break;
      found.push(...segments.slice(0, most - found.length));
    }
    return found;
  }

  /** Removes dropped segments. */
  removeDropped(segments: readonly SegmentName[]): void {
    const gone = new Set(segments);
    this.#waiting = this.#waiting
      .map(({ segments: waiting, behind }) => ({ segments: waiting.filter((name) => !gone.has(name)), behind }))
      .filter(({ segments: waiting }) => waiting.length > 0);
  }

  /** All waiting segments, for the root: the next opening drops them. */
  get waiting(): readonly SegmentName[] {
    return this.#waiting.flatMap(({ segments }) => [...segments]);
  }
}
