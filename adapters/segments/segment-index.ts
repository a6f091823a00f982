import type { Micros } from "../../src/domain/time.js";
import { compareKeys, mayHoldAny, type OrderKey, type SegmentEntry } from "./segment-entry.js";

/**
 * The segments of a bucket, in time order and without overlap: each begins behind the last event of the one
 * before it.
 */
export class SegmentIndex {
  #entries: SegmentEntry[] = [];
  /** `#reach[i]`: the largest event end of the segments 0 to i. Tells a search how far back it must look. */
  #reach: Micros[] = [];
  #count = 0;
  #changes = 0;
  #digest = 0;

  /** How often it has changed. */
  get changes(): number {
    return this.#changes;
  }

  /** Sum of the checksums of all entries: tells when one of them is missing or another one. */
  get digest(): number {
    return this.#digest;
  }

  get entries(): readonly SegmentEntry[] {
    return this.#entries;
  }

  /** Number of events in segments. */
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

  /** The segments that may hold one of some ids. @param ascending the ids in ascending order */
  holding(ascending: readonly number[]): SegmentEntry[] {
    if (ascending.length === 0) return [];
    return this.#entries.filter((entry) => mayHoldAny(entry, ascending));
  }

  /** Puts segments in the place of others; they still do not overlap. */
  replace(old: readonly SegmentEntry[], fresh: readonly SegmentEntry[]): void {
    if (old.length === 0 && fresh.length === 0) return;
    this.#changes++;
    if (old.length <= 1 && isRun(fresh)) this.#splice(old[0], fresh);
    else {
      const gone = new Set(old);
      this.load([...this.#entries.filter((entry) => !gone.has(entry)), ...fresh]);
    }
  }

  /** The usual case: neighbours in the place of one segment, or between two. */
  #splice(old: SegmentEntry | undefined, fresh: readonly SegmentEntry[]): void {
    const index = old ? this.indexBefore(old.first) : this.indexBefore((fresh[0] as SegmentEntry).first) + 1;
    const behind = this.#entries[index + (old ? 1 : 0)];
    const last = fresh.at(-1);
    if (last !== undefined && behind !== undefined && compareKeys(last.last, behind.first) >= 0) {
      // Not neighbours after all.
      this.load([...this.#entries.filter((entry) => entry !== old), ...fresh]);
      return;
    }
    this.#entries.splice(index, old ? 1 : 0, ...fresh);
    this.#count += fresh.reduce((sum, { count }) => sum + count, 0) - (old?.count ?? 0);
    this.#digest = fresh.reduce((digest, { sum }) => (digest + sum) >>> 0, (this.#digest - (old?.sum ?? 0)) >>> 0);
    this.#measureFrom(index);
  }

  /** Takes over all segments at once, in any order. */
  load(entries: readonly SegmentEntry[]): void {
    this.#entries = [...entries].sort((a, b) => compareKeys(a.first, b.first));
    this.#count = entries.reduce((sum, { count }) => sum + count, 0);
    this.#digest = entries.reduce((digest, { sum }) => (digest + sum) >>> 0, 0);
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

/** Whether segments follow each other. */
function isRun(entries: readonly SegmentEntry[]): boolean {
  return entries.every(
    (entry, index) => index === 0 || compareKeys(entries[index - 1]?.last ?? [0, 0], entry.first) < 0,
  );
}
