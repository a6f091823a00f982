import {
  overlaps,
  type PrintedChunk,
  type PrintedEvent,
  positionOf,
  printed,
  printedAt,
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
  const segments = shelf.directory.overlapping(start, end, newestFirst ? limit : undefined);
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

/** Events of one block that stand next to each other, from the first index to before the last. */
interface BlockRun {
  readonly block: Block;
  readonly from: number;
  readonly to: number;
}

/** Carries a plan out: merges the events of the tail with those of the segments, whose runs stay together. */
async function* merged(plan: ReadPlan, blockOf: BlockSource): AsyncGenerator<readonly StoredEvent[] | BlockRun> {
  const { tail } = plan;
  let left = plan.limit;
  let taken = 0;
  for (const segment of tailSuffices(plan) ? [] : plan.segments) {
    const block = await blockOf(segment);
    // Where no event of the segment ends before the range, none needs to be looked at.
    for (const run of segment.ends[0] >= plan.start ? runOfAll(block, plan) : runsIn(block, plan)) {
      for (let rest: BlockRun | undefined = run; rest !== undefined; ) {
        const first = taken;
        const stop = Math.min(tail.length, first + left);
        while (taken < stop && comesBefore(tail[taken] as StoredEvent, rest, plan)) taken++;
        left -= taken - first;
        if (taken > first) yield tail.slice(first, taken);
        if (left <= 0) return;
        const parts = partsAround(tail[taken], rest, plan);
        const part = shortened(parts[0], left, plan);
        left -= part.to - part.from;
        yield part;
        if (left <= 0) return;
        rest = parts[1];
      }
    }
  }
  if (taken < tail.length) yield tail.slice(taken, taken + Math.min(left, tail.length));
}

/** The events of a block that begin before the end of the range. */
function runOfAll(block: Block, { end }: ReadPlan): BlockRun[] {
  const to = block.positionOf(end, Number.POSITIVE_INFINITY);
  return to > 0 ? [{ block, from: 0, to }] : [];
}

/** The events of a block that overlap the range of a plan, in the order of the plan. */
function runsIn(block: Block, { start, end, newestFirst }: ReadPlan): BlockRun[] {
  const { timestamps, durations } = block;
  const stop = block.positionOf(end, Number.POSITIVE_INFINITY);
  const runs: BlockRun[] = [];
  let from = -1;
  for (let at = 0; at < stop; at++) {
    const overlapping = (timestamps[at] as number) + (durations[at] as number) >= start;
    if (overlapping && from < 0) from = at;
    if (overlapping || from < 0) continue;
    runs.push({ block, from, to: at });
    from = -1;
  }
  if (from >= 0) runs.push({ block, from, to: stop });
  return newestFirst ? runs.reverse() : runs;
}

/** Whether an event comes before all of a run. */
function comesBefore(
  { timestamp, id }: StoredEvent,
  { block, from, to }: BlockRun,
  { newestFirst }: ReadPlan,
): boolean {
  const place = block.positionOf(timestamp, id);
  return newestFirst ? place >= to : place <= from;
}

/** What of a run comes before an event, and what behind it. The first of the run comes before it. */
function partsAround(
  event: StoredEvent | undefined,
  run: BlockRun,
  { newestFirst }: ReadPlan,
): readonly [BlockRun, BlockRun | undefined] {
  if (event === undefined) return [run, undefined];
  const { block, from, to } = run;
  const place = block.positionOf(event.timestamp, event.id);
  if (newestFirst ? place <= from : place >= to) return [run, undefined];
  const [older, newer] = [
    { block, from, to: place },
    { block, from: place, to },
  ];
  return newestFirst ? [newer, older] : [older, newer];
}

/** The first events of a run. */
function shortened({ block, from, to }: BlockRun, most: number, { newestFirst }: ReadPlan): BlockRun {
  const count = Math.min(to - from, most);
  return newestFirst ? { block, from: to - count, to } : { block, from, to: from + count };
}

/** Events made at a time: they are cleared away before there are many of them. */
const CHUNK_EVENTS = 256;
/** Shorter runs, between events of the tail, are not worth a chunk of their own. */
const SHORT_RUN = 32;

/** Reads events as objects. */
export async function* readStored(plan: ReadPlan, blockOf: BlockSource): AsyncGenerator<readonly StoredEvent[]> {
  let chunk: StoredEvent[] = [];
  for await (const part of merged(plan, blockOf)) {
    const count = "block" in part ? part.to - part.from : part.length;
    for (let step = 0; step < count; step++) {
      chunk.push("block" in part ? part.block.eventAt(indexIn(part, step, plan)) : (part[step] as StoredEvent));
      if (chunk.length < CHUNK_EVENTS) continue;
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}

/** Reads events to be printed. */
export async function* readPrinted(plan: ReadPlan, blockOf: BlockSource): AsyncGenerator<PrintedChunk> {
  let chunk: PrintedEvent[] = [];
  for await (const part of merged(plan, blockOf)) {
    const isRun = "block" in part && part.to - part.from >= SHORT_RUN;
    if (chunk.length > 0 && (isRun || chunk.length >= CHUNK_EVENTS)) {
      yield chunk;
      chunk = [];
    }
    if (!("block" in part)) {
      for (const event of part) {
        if (chunk.length >= CHUNK_EVENTS) {
          yield chunk;
          chunk = [];
        }
        chunk.push(printed(event));
      }
    } else if (isRun) yield { list: part.block.printable(), from: part.from, to: part.to, backwards: plan.newestFirst };
    else {
      const list = part.block.printable();
      for (let step = 0; step < part.to - part.from; step++) chunk.push(printedAt(list, indexIn(part, step, plan)));
    }
  }
  if (chunk.length > 0) yield chunk;
}

/** The index of an event of a run, counted in the order of the plan. */
function indexIn({ from, to }: BlockRun, step: number, { newestFirst }: ReadPlan): number {
  return newestFirst ? to - 1 - step : from + step;
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
