import type { StoredEvent } from "../../src/domain/event.js";
import type { Micros } from "../../src/domain/time.js";
import { firstWhere } from "../../src/util/binary-search.js";
import type { IdSet } from "../../src/util/id-set.js";
import { checksumOf } from "./checksum.js";
import { entryKey } from "./keys.js";
import type { SegmentColumns } from "./segment-columns.js";
import type { SegmentName } from "./store.js";

/** A point in the order of events. */
export type OrderKey = readonly [timestamp: Micros, id: number];

/** Negative when `a` comes first. */
export function compareKeys(a: OrderKey, b: OrderKey): number {
  return a[0] - b[0] || a[1] - b[1];
}

export function keyOf({ timestamp, id }: Pick<StoredEvent, "timestamp" | "id">): OrderKey {
  return [timestamp, id];
}

/** First and last id of ids that lie together. */
export type IdRange = readonly [low: number, high: number];

/**
 * What is known of a segment without reading it: enough to count, to search by time and to search by id. All of them
 * are in memory.
 */
export interface SegmentEntry extends SegmentName {
  readonly count: number;
  /** (timestamp, id) of the first and of the last event. */
  readonly first: OrderKey;
  readonly last: OrderKey;
  /** Smallest and largest event end. */
  readonly ends: readonly [Micros, Micros];
  /** Ranges that hold every id: at most `MAX_ID_RANGES`, so they may hold others, too. */
  readonly ids: readonly IdRange[];
  /** Size of the encoded segment. */
  readonly bytes: number;
  /** Checksum of the entry itself, for the digest of its bucket. */
  readonly sum: number;
}

const MAX_ID_RANGES = 4;

/** Describes a segment. @param bytes the size of it */
export function describe(name: SegmentName, columns: SegmentColumns, bytes: number): SegmentEntry {
  const { timestamps, durations, ids } = columns;
  const count = timestamps.length;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < count; index++) {
    const end = (timestamps[index] as number) + (durations[index] as number);
    if (end < lowest) lowest = end;
    if (end > highest) highest = end;
  }
  const entry = {
    ...name,
    count,
    first: [timestamps[0] as number, ids[0] as number],
    last: [timestamps[count - 1] as number, ids[count - 1] as number],
    ends: [lowest, highest],
    ids: rangesOf(ids.slice().sort()),
    bytes,
    sum: 0,
  } satisfies SegmentEntry;
  return { ...entry, sum: checksumOf(entryKey(name), serializeEntry(entry)) };
}

/** Cuts ascending ids at their widest gaps. */
function rangesOf(ids: Float64Array): IdRange[] {
  const gaps: number[] = [];
  for (let index = 1; index < ids.length; index++) {
    if (gapBefore(ids, index) > 1) gaps.push(index);
  }
  gaps.sort((a, b) => gapBefore(ids, b) - gapBefore(ids, a));
  const cuts = gaps.slice(0, MAX_ID_RANGES - 1).sort((a, b) => a - b);
  const starts = [0, ...cuts];
  return starts.map((start, index) => [ids[start] as number, ids[(cuts[index] ?? ids.length) - 1] as number]);
}

function gapBefore(ids: Float64Array, index: number): number {
  return (ids[index] as number) - (ids[index - 1] as number);
}

/** Whether an event with this id may be in the segment. */
export function mayHold({ ids }: SegmentEntry, eventId: number): boolean {
  return ids.some(([low, high]) => low <= eventId && eventId <= high);
}

/** The same for any of some ids, in ascending order. */
export function mayHoldAny({ ids }: SegmentEntry, ascending: ArrayLike<number>): boolean {
  return ids.some(([low, high]) => (ascending[indexFrom(ascending, low)] ?? Number.POSITIVE_INFINITY) <= high);
}

/** The same for any id of a set. */
export function mayHoldOneOf({ ids }: SegmentEntry, wanted: IdSet): boolean {
  return ids.some(([low, high]) => wanted.hasAnyOf(low, high));
}

/** The first index of ascending numbers at which one of at least this value stands; their length when there is none. */
export function indexFrom(ascending: ArrayLike<number>, value: number): number {
  return firstWhere(0, ascending.length, (at) => (ascending[at] as number) >= value);
}

/** The text of an entry; bucket and number of the segment stand in its key. */
export function serializeEntry({ count, first, last, ends, ids, bytes }: SegmentEntry): string {
  return JSON.stringify([count, first, last, ends, ids, bytes]);
}

/** @throws Error for a text that is none */
export function parseEntry({ bucketNo, segmentNo }: SegmentName, text: string, sum: number): SegmentEntry {
  const fields = JSON.parse(text) as [number, OrderKey, OrderKey, [Micros, Micros], IdRange[], number];
  const [count, first, last, ends, ids, bytes] = fields;
  if (!(count > 0) || first.length !== 2 || last.length !== 2 || ends.length !== 2 || ids.length === 0) {
    throw new Error("the entry of a segment is damaged");
  }
  return { bucketNo, segmentNo, count, first, last, ends, ids, bytes, sum };
}
