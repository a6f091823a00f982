import {
  byTime,
  type OrderedEvent,
  overlaps,
  type PrintedEvent,
  positionOf,
  printed,
  type StoredEvent,
} from "../../src/domain/event.js";
import type { Micros } from "../../src/domain/time.js";
import type { EventRange, TimeRange } from "../../src/storage.js";
import type { Block } from "./segment.js";
import type { SegmentEntry } from "./segment-entry.js";
import type { Shelf } from "./shelf.js";

/** Gives a segment's content as of the moment at which the read was planned. */
export type BlockSource = (entry: SegmentEntry) => Promise<Block>;

/** What a read has to look at, taken down at one moment. */
export interface ReadPlan {
  readonly start: Micros;
  readonly end: Micros;
  readonly limit: number;
  readonly newestFirst: boolean;
  /** Events of the tail that overlap the range, in the order of the read. */
  readonly tail: readonly StoredEvent[];
  /** Segments that may hold such events, in the order of the read. */
  readonly segments: readonly SegmentEntry[];
}

export function planRead(shelf: Shelf, range: EventRange): ReadPlan {
  const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = range;
  const newestFirst = range.order !== "oldest";
  const segments = shelf.directory.overlapping(start, end);
  if (!newestFirst) segments.reverse();
  return { start, end, limit, newestFirst, tail: tailEvents(shelf, start, end, newestFirst, limit), segments };
}

function tailEvents(shelf: Shelf, start: Micros, end: Micros, newestFirst: boolean, limit: number): StoredEvent[] {
  const { events } = shelf.tail;
  const stop = positionOf(events, end, Number.POSITIVE_INFINITY);
  const found: StoredEvent[] = [];
  for (let step = 0; step < stop && found.length < limit; step++) {
    const event = events[newestFirst ? stop - 1 - step : step] as StoredEvent;
    if (overlaps(event, start, end)) found.push(event);
  }
  return found;
}

/** Whether the tail alone answers a plan, without any segment. */
export function tailSuffices({ tail, segments, limit, newestFirst }: ReadPlan): boolean {
  const [nearest] = segments;
  if (nearest === undefined || limit === 0) return true;
  const farthest = tail.at(-1);
  if (tail.length < limit || farthest === undefined || !newestFirst) return false;
  return farthest.timestamp > nearest.last[0];
}

/** What a read makes of each event. */
export interface Form<E> {
  ofSealed(block: Block, position: number): E;
  ofTail(event: StoredEvent): E;
}

export const asStored: Form<StoredEvent> = {
  ofSealed: (block, position) => block.eventAt(position),
  ofTail: (event) => event,
};

export const asPrinted: Form<PrintedEvent> = {
  ofSealed: (block, position) => block.printedAt(position),
  ofTail: printed,
};

/** Events made at a time: they are cleared away before there are many of them. */
const CHUNK_EVENTS = 256;

/** Carries a plan out: merges the tail with the segments, chunk by chunk. */
export async function* carryOut<E extends OrderedEvent>(
  plan: ReadPlan,
  blockOf: BlockSource,
  form: Form<E>,
): AsyncGenerator<readonly E[]> {
  const { tail, segments, newestFirst } = plan;
  let left = plan.limit;
  let taken = 0;
  for (const segment of tailSuffices(plan) ? [] : segments) {
    if (left <= 0) return;
    const block = await blockOf(segment);
    let chunk: E[] = [];
    for (const position of positionsOf(block, plan)) {
      if (chunk.length >= left) break;
      if (chunk.length >= CHUNK_EVENTS) {
        left -= chunk.length;
        yield chunk;
        chunk = [];
      }
      const event = form.ofSealed(block, position);
      while (taken < tail.length && comesFirst(tail[taken] as StoredEvent, event, newestFirst)) {
        chunk.push(form.ofTail(tail[taken++] as StoredEvent));
      }
      chunk.push(event);
    }
    if (chunk.length > left) chunk.length = left;
    left -= chunk.length;
    if (chunk.length > 0) yield chunk;
  }
  const rest = tail.slice(taken, taken + Math.min(left, tail.length));
  if (rest.length > 0) yield rest.map(form.ofTail);
}

function comesFirst(a: OrderedEvent, b: OrderedEvent, newestFirst: boolean): boolean {
  return newestFirst ? byTime(a, b) > 0 : byTime(a, b) < 0;
}

function* positionsOf(block: Block, { start, end, newestFirst }: ReadPlan): Generator<number> {
  const { timestamps, durations } = block;
  const stop = block.positionOf(end, Number.POSITIVE_INFINITY);
  for (let step = 0; step < stop; step++) {
    const position = newestFirst ? stop - 1 - step : step;
    if ((timestamps[position] as number) + (durations[position] as number) >= start) yield position;
  }
}

/** Counts the events that overlap a range; only segments at its edges are read. */
export async function countOverlapping(shelf: Shelf, range: TimeRange, blockOf: BlockSource): Promise<number> {
  const { start, end, tail, segments } = planRead(shelf, { ...range, limit: Number.POSITIVE_INFINITY });
  let count = tail.length;
  for (const segment of segments) {
    if (segment.ends[0] >= start && segment.last[0] <= end) count += segment.count;
    else count += countIn(await blockOf(segment), start, end);
  }
  return count;
}

function countIn(block: Block, start: Micros, end: Micros): number {
  const stop = block.positionOf(end, Number.POSITIVE_INFINITY);
  let count = 0;
  for (let position = 0; position < stop; position++) {
    if ((block.timestamps[position] as number) + (block.durations[position] as number) >= start) count++;
  }
  return count;
}
