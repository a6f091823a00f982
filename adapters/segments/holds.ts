import type { SegmentName } from "./store.js";

/**
 * Segments that nothing refers to any more, until the reads are over that began while something did: then their bytes
 * may be dropped.
 */
export class Holds {
  /** Reads under way, by the number that they began with; the oldest comes first. */
  readonly #reads: Set<number> = new Set();
  #waiting: { readonly segments: readonly SegmentName[]; readonly behind: number }[] = [];
  #clock = 0;

  /** Keeps what is there now. @returns ends the hold; may be called twice */
  begin(): () => void {
    const read = ++this.#clock;
    this.#reads.add(read);
    return () => {
      this.#reads.delete(read);
    };
  }

  /** Keeps what is there now until some work is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const release = this.begin();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Segments without an entry from now on. */
  add(segments: readonly SegmentName[]): void {
    if (segments.length > 0) this.#waiting.push({ segments, behind: this.#clock });
  }

  /** Those that can be dropped now, at most so many. */
  free(most: number): SegmentName[] {
    const oldest = this.#reads.values().next().value ?? Number.POSITIVE_INFINITY;
    const found: SegmentName[] = [];
    for (const { segments, behind } of this.#waiting) {
      if (behind >= oldest || found.length >= most) break;
      found.push(...segments.slice(0, most - found.length));
    }
    return found;
  }

  /** They were dropped. */
  forget(segments: readonly SegmentName[]): void {
    const gone = new Set(segments);
    this.#waiting = this.#waiting
      .map(({ segments: waiting, behind }) => ({ segments: waiting.filter((name) => !gone.has(name)), behind }))
      .filter(({ segments: waiting }) => waiting.length > 0);
  }

  /** All that wait, for the root: an opening drops them. */
  get waiting(): readonly SegmentName[] {
    return this.#waiting.flatMap(({ segments }) => [...segments]);
  }
}
