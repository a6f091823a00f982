import type { StoredEvent } from "../../src/domain/event.js";
import type { Micros } from "../../src/domain/time.js";
import type { SegmentEntry } from "./segment-entry.js";

/** A point in the order of events. */
export type OrderKey = readonly [timestamp: Micros, id: number];

/** Negative when `a` comes first. */
export function compareKeys(a: OrderKey, b: OrderKey): number {
  return a[0] - b[0] || a[1] - b[1];
}

export function keyOf({ timestamp, id }: StoredEvent): OrderKey {
  return [timestamp, id];
}

/**
 * The sealed segments of a bucket, in time order and without overlap: each begins behind the last event of the one
 * before it.
 */
export class Directory {
  #entries: SegmentEntry[] = [];
  /** `#reach[i]`: the largest event end of the segments 0 to i. Tells a search how far back it must look. */
  #reach: Micros[] = [];
  #count = 0;
  #changes = 0;

  /** How often it has changed. */
  get changes(): number {
    return this.#changes;
  }

  get entries(): readonly SegmentEntry[] {
    return this.#entries;
  }

  /** Number of sealed events. */
  get count(): number {
    return this.#count;
  }

  /** Largest event end; -Infinity when there is no segment. */
  get end(): Micros {
    return this.#reach.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  /** Index of the last segment that begins at or before a point; -1 when all begin behind it. */
  indexBefore(key: OrderKey): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareKeys((this.#entries[middle] as SegmentEntry).first, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /**
   * The segments that may hold events which overlap a range, newest first.
   *
   * @param limit how many events are wanted; what lies behind segments that surely hold them is left out
   */
  overlapping(start: Micros, end: Micros, limit: number = Number.POSITIVE_INFINITY): SegmentEntry[] {
    const found: SegmentEntry[] = [];
    let sure = 0;
    for (let index = this.indexBefore([end, Number.POSITIVE_INFINITY]); index >= 0; index--) {
      if ((this.#reach[index] as Micros) < start) break;
      const entry = this.#entries[index] as SegmentEntry;
      if (entry.ends[1] < start) continue;
      found.push(entry);
      if (entry.ends[0] >= start && entry.last[0] <= end) sure += entry.count;
      if (sure >= limit) break;
    }
    return found;
  }

  /** Puts segments in the place of another, or between two others. */
  replace(old: SegmentEntry | undefined, fresh: readonly SegmentEntry[]): void {
    const [first] = fresh;
    if (old === undefined && first === undefined) return;
    this.#changes++;
    const index = old ? this.indexBefore(old.first) : this.indexBefore((first as SegmentEntry).first) + 1;
    this.#entries.splice(index, old ? 1 : 0, ...fresh);
    this.#count += fresh.reduce((sum, { count }) => sum + count, 0) - (old?.count ?? 0);
    this.#measureFrom(index);
  }

  /** Takes over all segments at once, in any order. */
  load(entries: readonly SegmentEntry[]): void {
    this.#entries = [...entries].sort((a, b) => compareKeys(a.first, b.first));
    this.#count = entries.reduce((sum, { count }) => sum + count, 0);
    this.#measureFrom(0);
  }

  #measureFrom(index: number): void {
    this.#reach.length = Math.min(this.#reach.length, index);
    for (let at = index; at < this.#entries.length; at++) {
      const before = this.#reach[at - 1] ?? Number.NEGATIVE_INFINITY;
      this.#reach.push(Math.max(before, (this.#entries[at] as SegmentEntry).ends[1]));
    }
  }
}
