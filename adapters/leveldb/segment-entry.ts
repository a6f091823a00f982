import type { StoredEvent } from "../../src/domain/event.js";
import type { Micros } from "../../src/domain/time.js";

/** First and last id of ids that lie together. */
export type IdRange = readonly [low: number, high: number];

/**
 * What is known of a sealed segment without reading it: enough to count, to search by time and to search by id.
 * A record of the format; all of them are in memory.
 */
export interface SegmentEntry {
  /** Names the segment within its bucket. */
  readonly segmentNo: number;
  readonly count: number;
  /** (timestamp, id) of the first and of the last event. */
  readonly first: readonly [Micros, number];
  readonly last: readonly [Micros, number];
  /** Smallest and largest event end. */
  readonly ends: readonly [Micros, Micros];
  /** Ranges that hold every id: at most `MAX_ID_RANGES`, so they may hold others, too. */
  readonly ids: readonly IdRange[];
  /** Size of the encoded segment. */
  readonly bytes: number;
}

const MAX_ID_RANGES = 4;

/** Describes events sorted by (timestamp, id). */
export function describe(segmentNo: number, events: readonly StoredEvent[], bytes: number): SegmentEntry {
  const first = events[0] as StoredEvent;
  const last = events.at(-1) as StoredEvent;
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const { timestamp, duration } of events) {
    lowest = Math.min(lowest, timestamp + duration);
    highest = Math.max(highest, timestamp + duration);
  }
  return {
    segmentNo,
    count: events.length,
    first: [first.timestamp, first.id],
    last: [last.timestamp, last.id],
    ends: [lowest, highest],
    ids: rangesOf(Float64Array.from(events, ({ id }) => id).sort()),
    bytes,
  };
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

/** The value of an entry's record; the number of the segment stands in its key. */
export function entryRecord({ count, first, last, ends, ids, bytes }: SegmentEntry): { [field: string]: never } {
  return { count, first, last, ends, ids, bytes } as unknown as { [field: string]: never };
}

/** @throws Error for a record that is none */
export function segmentEntryFrom(segmentNo: number, value: unknown): SegmentEntry {
  const entry = value as Omit<SegmentEntry, "segmentNo">;
  if (!(entry.count > 0) || entry.ids.length === 0 || entry.first.length !== 2 || entry.ends.length !== 2) {
    throw new Error(`segment ${segmentNo} has a damaged directory entry`);
  }
  return { segmentNo, ...entry };
}
