import { overlaps, positionOf, type StoredEvent } from "../../src/domain/event.js";
import type { Micros } from "../../src/domain/time.js";
import type { EventRange } from "../../src/storage/storage.js";
import type { BucketState } from "./bucket-state.js";
import type { SegmentEntry } from "./segment-entry.js";

/** A read's events and segments, captured at one moment. */
export interface ReadPlan {
  readonly start: Micros;
  readonly end: Micros;
  readonly limit: number;
  readonly newestFirst: boolean;
  /** Events of the memtable that overlap the range, in read order. */
  readonly memtable: readonly StoredEvent[];
  /** Segments that may contain such events, in read order. */
  readonly segments: readonly SegmentEntry[];
}

export function planRead(bucket: BucketState, range: EventRange): ReadPlan {
  const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = range;
  const newestFirst = range.order !== "oldest";
  const plan = { start, end, limit, newestFirst, memtable: memtableEvents(bucket, start, end, newestFirst, limit) };
  const segments = bucket.index.overlapping(start, end, newestFirst ? limit : undefined);
  if (!newestFirst) segments.reverse();
  return { ...plan, segments: memtableSuffices(plan, segments[0]) ? [] : segments };
}

function memtableEvents(
  { memtable: { events } }: BucketState,
  start: Micros,
  end: Micros,
  newestFirst: boolean,
  limit: number,
): StoredEvent[] {
  const stop = positionOf(events, end, Number.POSITIVE_INFINITY);
  const found: StoredEvent[] = [];
  for (let step = 0; step < stop && found.length < limit; step++) {
    const event = events[newestFirst ? stop - 1 - step : step] as StoredEvent;
    if (overlaps(event, start, end)) found.push(event);
  }
  return found;
}

/** Whether the memtable suffices for a plan, without any segment. */
function memtableSuffices(plan: Omit<ReadPlan, "segments">, nearest: SegmentEntry | undefined): boolean {
  const { memtable, limit, newestFirst } = plan;
  if (nearest === undefined || limit === 0) return true;
  const farthest = memtable.at(-1);
  if (memtable.length < limit || farthest === undefined || !newestFirst) return false;
  return farthest.timestamp > nearest.last[0];
}
