import { createTimeSlice } from "./time-slice.js";

/** Integers per page. */
const PAGE = 4096;
const WORD = 32;

/**
 * A set of integers of 0 or more, as bits in pages: no insertion pauses for the rehashing of a large `Set`, and
 * adjacent IDs take an eighth of a byte each.
 */
export class IdSet {
  readonly #pages: Map<number, Uint32Array> = new Map();
  #size = 0;

  /** Creates a set of many IDs; yields to other work in between. */
  static async of(ids: readonly number[]): Promise<IdSet> {
    const set = new IdSet();
    const timeSlice = createTimeSlice();
    for (let at = 0; at < ids.length; at++) {
      set.add(ids[at] as number);
      if (at % PAGE === PAGE - 1) await timeSlice.yield();
    }
    return set;
  }

  get size(): number {
    return this.#size;
  }

  add(id: number): void {
    const number = Math.floor(id / PAGE);
    let page = this.#pages.get(number);
    if (page === undefined) {
      page = new Uint32Array(PAGE / WORD);
      this.#pages.set(number, page);
    }
    const at = id - number * PAGE;
    const [word, bit] = [at >>> 5, 1 << (at & 31)];
    if (((page[word] as number) & bit) !== 0) return;
    page[word] = (page[word] as number) | bit;
    this.#size++;
  }

  has(id: number): boolean {
    const number = Math.floor(id / PAGE);
    const page = this.#pages.get(number);
    if (page === undefined) return false;
    const at = id - number * PAGE;
    return ((page[at >>> 5] as number) & (1 << (at & 31))) !== 0;
  }

  /** Whether the set has an integer from `low` to `high`, both included. */
  hasAnyOf(low: number, high: number): boolean {
    const [first, last] = [Math.floor(low / PAGE), Math.floor(high / PAGE)];
    if (last - first < this.#pages.size) {
      for (let number = first; number <= last; number++) if (this.#hasAnyIn(number, low, high)) return true;
      return false;
    }
    for (const number of this.#pages.keys()) {
      if (number >= first && number <= last && this.#hasAnyIn(number, low, high)) return true;
    }
    return false;
  }

  #hasAnyIn(number: number, low: number, high: number): boolean {
    const page = this.#pages.get(number);
    if (page === undefined) return false;
    const from = Math.max(0, low - number * PAGE);
    const to = Math.min(PAGE - 1, high - number * PAGE);
    for (let at = from; at <= to; ) {
      // Skips a word without any bit.
      if (at % WORD === 0 && page[at >>> 5] === 0) at += WORD;
      else if (((page[at >>> 5] as number) & (1 << (at & 31))) !== 0) return true;
      else at++;
    }
    return false;
  }
}
