import { endOf, type OrderedEvent, type StoredEvent } from "../../src/domain/event.js";
import type { Micros } from "../../src/domain/time.js";

/** A point in the order of events. */
type OrderKey = readonly [timestamp: Micros, id: number];

/** First and last id of ids that lie together. */
type IdRange = readonly [low: number, high: number];

/** What is known of a chunk without reading it: enough to count, to search by time and to search by id. */
export interface ChunkEntry {
  /** Term in which it was written, and its number in that term and bucket: together they name it. */
  readonly term: string;
  readonly chunkNo: number;
  readonly count: number;
  /** (timestamp, id) of the first and of the last event. */
  readonly first: OrderKey;
  readonly last: OrderKey;
  /** Smallest and largest event end. */
  readonly ends: readonly [Micros, Micros];
  /** Ranges that hold every id: at most `MAX_ID_RANGES`, so they may hold others, too. */
  readonly ids: readonly IdRange[];
}

const MAX_ID_RANGES = 4;

/** Describes events sorted by (timestamp, id); at least one. */
export function describe(term: string, chunkNo: number, events: readonly StoredEvent[]): ChunkEntry {
  const first = events[0] as StoredEvent;
  const last = events.at(-1) as StoredEvent;
  const ends = events.map(endOf);
  return {
    term,
    chunkNo,
    count: events.length,
    first: [first.timestamp, first.id],
    last: [last.timestamp, last.id],
    ends: [Math.min(...ends), Math.max(...ends)],
    ids: rangesOf(Float64Array.from(events, ({ id }) => id).sort()),
  };
}

/** Cuts ascending ids at their widest gaps. */
function rangesOf(ids: Float64Array): IdRange[] {
  const gapAt = (index: number): number => (ids[index] as number) - (ids[index - 1] as number);
  const gaps: number[] = [];
  for (let index = 1; index < ids.length; index++) if (gapAt(index) > 1) gaps.push(index);
  const cuts = gaps
    .sort((a, b) => gapAt(b) - gapAt(a))
    .slice(0, MAX_ID_RANGES - 1)
    .sort((a, b) => a - b);
  return [0, ...cuts].map((start, index) => [ids[start] as number, ids[(cuts[index] ?? ids.length) - 1] as number]);
}

/** Printed entries: most are printed again and again without having changed. */
const lines = new WeakMap<ChunkEntry, string>();

/** The line of an entry; its term is told by a line before it. */
export function printEntry(entry: ChunkEntry): string {
  const { chunkNo, count, first, last, ends, ids } = entry;
  const line = lines.get(entry) ?? JSON.stringify([chunkNo, count, first, last, ends, ids]);
  lines.set(entry, line);
  return line;
}

/** @throws Error for a line that is no entry */
export function parseEntry(term: string, line: string): ChunkEntry {
  const [chunkNo, count, first, last, ends, ids] = JSON.parse(line) as [
    number,
    number,
    OrderKey,
    OrderKey,
    [Micros, Micros],
    IdRange[],
  ];
  if (!(count > 0) || first.length !== 2 || last.length !== 2 || ends.length !== 2 || ids.length === 0) {
    throw new Error(`chunk ${chunkNo} has a damaged entry`);
  }
  return { term, chunkNo, count, first, last, ends, ids };
}

/** Whether a chunk may hold an event with one of these ids. @param ids ascending */
export function mayHold(entry: ChunkEntry, ids: readonly number[]): boolean {
  return entry.ids.some(([low, high]) => {
    const next = ids[firstFrom(ids, low)];
    return next !== undefined && next <= high;
  });
}

/** Index of the first of ascending numbers that is not below a bound. */
function firstFrom(numbers: readonly number[], bound: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether an event comes before a point in the order of events. */
export function isBefore({ timestamp, id }: OrderedEvent, point: OrderKey): boolean {
  return timestamp < point[0] || (timestamp === point[0] && id < point[1]);
}

/**
 * The chunks of a bucket, in time order and without overlap: each begins behind the last event of the one before it.
 * Never changed in place.
 */
export class Directory {
  readonly entries: readonly ChunkEntry[];
  /** Number of events in chunks. */
  readonly count: number;
  /** `#reach[i]`: the largest event end of the chunks 0 to i. Tells a search how far back it must look. */
  readonly #reach: Float64Array;

  /** @param entries in any order */
  constructor(entries: readonly ChunkEntry[]) {
    this.entries = entries.toSorted((a, b) => a.first[0] - b.first[0] || a.first[1] - b.first[1]);
    this.#reach = new Float64Array(entries.length);
    let reach = Number.NEGATIVE_INFINITY;
    let count = 0;
    for (const [index, entry] of this.entries.entries()) {
      reach = Math.max(reach, entry.ends[1]);
      count += entry.count;
      this.#reach[index] = reach;
    }
    this.count = count;
  }

  /** Largest event end; -Infinity when there is no chunk. */
  get end(): Micros {
    return this.#reach.at(-1) ?? Number.NEGATIVE_INFINITY;
  }

  /** The directory with chunks in the place of others. */
  replaced(old: ReadonlySet<ChunkEntry>, fresh: readonly ChunkEntry[]): Directory {
    const kept = old.size === 0 ? this.entries : this.entries.filter((entry) => !old.has(entry));
    return new Directory([...kept, ...fresh]);
  }

  /** Index of the last chunk that begins at or before an event; -1 when all begin behind it. */
  indexBefore(event: OrderedEvent): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(event, (this.entries[middle] as ChunkEntry).first)) high = middle;
      else low = middle + 1;
    }
    return low - 1;
  }

  /** The chunks that may hold events which overlap a range, newest first. */
  overlapping(start: Micros, end: Micros): ChunkEntry[] {
    const found: ChunkEntry[] = [];
    for (let index = this.indexBefore({ timestamp: end, id: Number.POSITIVE_INFINITY }); index >= 0; index--) {
      if ((this.#reach[index] as Micros) < start) break;
      const entry = this.entries[index] as ChunkEntry;
      if (entry.ends[1] >= start) found.push(entry);
    }
    return found;
  }

  /** The chunks that may hold an event with one of these ids. */
  holding(ids: readonly number[]): ChunkEntry[] {
    if (ids.length === 0 || this.entries.length === 0) return [];
    const ascending = ids.toSorted((a, b) => a - b);
    return this.entries.filter((entry) => mayHold(entry, ascending));
  }
}
