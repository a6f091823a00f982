import type { StoredEvent } from "../../src/domain/event.js";
import type { Micros } from "../../src/domain/time.js";
import { firstWhere } from "../../src/util/binary-search.js";
import type { IdSet } from "../../src/util/id-set.js";
import { checksumOf } from "./checksum.js";
import { entryKey } from "./keys.js";
import type { SegmentColumns } from "./segment-columns.js";
import type { SegmentName } from "./store.js";

/** A position in the order of events. */
export type OrderKey = readonly [timestamp: Micros, id: number];

/** Negative if `a` is first. */
export function compareKeys(a: OrderKey, b: OrderKey): number {
  return a[0] - b[0] || a[1] - b[1];
}

export function orderKey({ timestamp, id }: Pick<StoredEvent, "timestamp" | "id">): OrderKey {
  return [timestamp, id];
}

/** First and last ID of a range. */
export type IdRange = readonly [low: number, high: number];

/**
 * Metadata of a segment: enough to count, and to search by time and by ID, without reading it. All entries are in
 * memory.
 */
export interface SegmentEntry extends SegmentName {
  readonly count: number;
  /** (timestamp, id) of the first and the last event. */
  readonly first: OrderKey;
  readonly last: OrderKey;
  /** Smallest and largest event end. */
  readonly ends: readonly [Micros, Micros];
  /** Ranges that contain every ID, at most `MAX_ID_RANGES`. They may contain other IDs as well. */
  readonly ids: readonly IdRange[];
  /** Size of the encoded segment. */
  readonly bytes: number;
  /** Checksum of the entry itself, for the digest of its bucket. */
  readonly sum: number;
}

const MAX_ID_RANGES = 4;

/** Creates the entry of a segment. @param bytes its size */
export function createEntry(name: SegmentName, columns: SegmentColumns, bytes: number): SegmentEntry {
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
    ids: splitRanges(isAscending(ids) ? ids : ids.toSorted()),
    bytes,
    sum: 0,
  } satisfies SegmentEntry;
  return { ...entry, sum: checksumOf(entryKey(name), serializeEntry(entry)) };
}

// Sorting takes as long as all else of an entry, for rows `bulk/*` of the bench.
function isAscending(ids: Float64Array): boolean {
  for (let index = 1; index < ids.length; index++) if (gapBefore(ids, index) < 0) return false;
  return true;
}

/** Splits ascending IDs at their widest gaps. */
function splitRanges(ids: Float64Array): IdRange[] {
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

/** Whether the segment may contain an event with this ID. */
export function mayContain({ ids }: SegmentEntry, eventId: number): boolean {
  return ids.some(([low, high]) => low <= eventId && eventId <= high);
}

/** Whether the segment may contain an event with one of these IDs. @param ascending sorted IDs */
export function mayContainAny({ ids }: SegmentEntry, ascending: ArrayLike<number>): boolean {
  return ids.some(([low, high]) => (ascending[indexFrom(ascending, low)] ?? Number.POSITIVE_INFINITY) <= high);
}

/** Whether the segment may contain an event with an ID of a set. */
export function mayContainOneOf({ ids }: SegmentEntry, wanted: IdSet): boolean {
  return ids.some(([low, high]) => wanted.hasAnyOf(low, high));
}

/** The first index in ascending numbers whose number is at least `value`; their length if there is none. */
export function indexFrom(ascending: ArrayLike<number>, value: number): number {
  return firstWhere(0, ascending.length, (at) => (ascending[at] as number) >= value);
}

/** Serializes an entry. Its key contains the bucket number and the segment number. */
export function serializeEntry({ count, first, last, ends, ids, bytes }: SegmentEntry): string {
  return JSON.stringify([count, first, last, ends, ids, bytes]);
}

/** @throws Error for an invalid text */
export function parseEntry({ bucketNo, segmentNo }: SegmentName, text: string, sum: number): SegmentEntry {
  const fields = JSON.parse(text) as [number, OrderKey, OrderKey, [Micros, Micros], IdRange[], number];
  const [count, first, last, ends, ids, bytes] = fields;
  if (!(count > 0) || first.length !== 2 || last.length !== 2 || ends.length !== 2 || ids.length === 0) {
    throw new Error("the entry of a segment is damaged");
  }
  return { bucketNo, segmentNo, count, first, last, ends, ids, bytes, sum };
}
