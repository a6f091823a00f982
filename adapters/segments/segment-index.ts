import type { Micros } from "../../src/domain/time.js";
import { firstWhere } from "../../src/util/binary-search.js";
import { compareKeys, mayContainAny, type OrderKey, type SegmentEntry } from "./segment-entry.js";

/**
 * The segments of a bucket in time order. They never overlap: each segment starts after the last event of the previous
 * one. Every change is planned and checked before it is written to disk.
 */
export class SegmentIndex {
  #entries: readonly SegmentEntry[] = [];
  /** `#reach[i]`: the largest event end of the segments 0 to i. Limits how far back a search must look. */
  #reach: Micros[] = [];
  #count = 0;
  #changes = 0;
  #digest = 0;

  /** Number of changes. */
  get changes(): number {
    return this.#changes;
  }

  /** Sum of the checksums of all entries. Detects missing and replaced entries. */
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

  /** Largest event end; -Infinity without segments. */
  get end(): Micros {
    return this.#reach.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  /** Index of the last segment that starts at or before a key; -1 if all start after it. */
  indexBefore(key: OrderKey): number {
    const entries = this.#entries;
    return firstWhere(0, entries.length, (at) => compareKeys((entries[at] as SegmentEntry).first, key) > 0) - 1;
  }

  /**
   * The segments that may contain events that overlap a range, newest first.
   *
   * @param limit number of events needed; the search stops after segments that certainly contain enough
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

  /** The segments that may contain one of some IDs. @param ascending sorted IDs */
  containing(ascending: readonly number[]): SegmentEntry[] {
    if (ascending.length === 0) return [];
    return this.#entries.filter((entry) => mayContainAny(entry, ascending));
  }

  /**
   * Plans a change: some segments replace others. Changes nothing.
   *
   * @throws Error if an old segment is not in the index, or if two segments would overlap
   */
  plan(old: readonly SegmentEntry[], fresh: readonly SegmentEntry[]): IndexPlan {
    let from = this.#entries.length;
    if (old.length + fresh.length === 0) {
      return { from, entries: this.#entries, count: this.#count, digest: this.#digest };
    }
    for (const { first } of old) from = Math.min(from, this.indexBefore(first));
    for (const { first } of fresh) from = Math.min(from, this.indexBefore(first) + 1);
    const replaced = new Set(old);
    const rest = from < 0 ? [] : this.#entries.slice(from).filter((entry) => !replaced.has(entry));
    if (from + rest.length + replaced.size !== this.#entries.length) {
      throw new Error("a segment to be replaced is not in the index");
    }
    const changed = inOrder([...rest, ...fresh], this.#entries[from - 1]);
    return {
      from,
      entries: this.#entries.slice(0, from).concat(changed),
      count: this.#count - eventsIn(replaced) + eventsIn(fresh),
      digest: (this.#digest - digestOf(replaced) + digestOf(fresh)) >>> 0,
    };
  }

  /** Applies a plan. The index must not have changed since the plan was created. */
  install({ from, entries, count, digest }: IndexPlan): void {
    if (entries === this.#entries) return;
    this.#changes++;
    this.#entries = entries;
    this.#count = count;
    this.#digest = digest;
    this.#measureFrom(from);
  }

  /**
   * Sets all segments at once, in any order.
   *
   * @throws Error if two of them overlap
   */
  load(entries: readonly SegmentEntry[]): void {
    this.#entries = inOrder(entries);
    this.#count = eventsIn(entries);
    this.#digest = digestOf(entries);
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

function eventsIn(entries: Iterable<SegmentEntry>): number {
  let events = 0;
  for (const { count } of entries) events += count;
  return events;
}

function digestOf(entries: Iterable<SegmentEntry>): number {
  let digest = 0;
  for (const { sum } of entries) digest = (digest + sum) >>> 0;
  return digest;
}

/** A planned change of an index. */
export interface IndexPlan {
  /** All segments after the change. */
  readonly entries: readonly SegmentEntry[];
  /** Index of the first change. */
  readonly from: number;
  /** Number of events in all segments. */
  readonly count: number;
  /** Sum of all checksums. */
  readonly digest: number;
}

/**
 * Sorts segments by time.
 *
 * @param before the segment that precedes all of them
 * @throws Error if two of them overlap
 */
function inOrder(entries: readonly SegmentEntry[], before?: SegmentEntry): SegmentEntry[] {
  const sorted = entries.toSorted((a, b) => compareKeys(a.first, b.first));
  let previous = before;
  for (const entry of sorted) {
    if (previous !== undefined && compareKeys(previous.last, entry.first) >= 0) {
      throw new Error(`segments ${previous.segmentNo} and ${entry.segmentNo} overlap`);
    }
    previous = entry;
  }
  return sorted;
}
