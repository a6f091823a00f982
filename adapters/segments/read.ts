import { EventBatch } from "../../src/domain/batch.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { firstWhere } from "../../src/util/binary-search.js";
import type { ReadPlan } from "./read-plan.js";
import type { BlockSource } from "./segment-cache.js";
import { type Block, rowOf } from "./segment-codec.js";

/** Shorter runs of rows between events of the memtable are collected into a batch. */
const SHORT_RUN = 32;
/** Maximum number of collected events in a batch. */
const BATCH_EVENTS = 1024;
/** Segments that are read while the consumer processes earlier ones. */
const READ_AHEAD = 2;

/**
 * Runs a plan: merges the memtable's events with those of the segments. Rows between two events of the memtable are
 * returned as a slice of the segment's batch, in read order.
 */
export async function* runPlan(plan: ReadPlan, blockOf: BlockSource): AsyncGenerator<EventBatch> {
  const { memtable } = plan;
  let left = plan.limit;
  let taken = 0;
  let loose: StoredEvent[] = [];
  const blockAt = readAhead(plan, blockOf);
  for (const [at, segment] of plan.segments.entries()) {
    const ascending = (await blockAt(at)).batch;
    for (const run of segment.ends[0] >= plan.start ? wholeRun(ascending, plan) : findRuns(ascending, plan)) {
      let from = run.from;
      while (from < run.to && left > 0) {
        const next = memtable[taken];
        const to = next === undefined ? run.to : Math.min(run.to, rowBefore(run.rows, next, from, plan));
        const count = Math.min(to - from, left);
        if (count >= SHORT_RUN) {
          if (loose.length > 0) yield EventBatch.from(loose);
          loose = [];
          yield run.rows.slice(from, from + count);
        } else for (let row = from; row < from + count; row++) loose.push(run.rows.eventAt(row));
        left -= count;
        from += count;
        if (next !== undefined && from < run.to && left > 0) {
          loose.push(next);
          taken++;
          left--;
        }
        if (loose.length < BATCH_EVENTS) continue;
        yield EventBatch.from(loose);
        loose = [];
      }
      if (left <= 0) break;
    }
    if (left <= 0) break;
  }
  for (; taken < memtable.length && left > 0; taken++, left--) {
    loose.push(memtable[taken] as StoredEvent);
    if (loose.length < BATCH_EVENTS) continue;
    yield EventBatch.from(loose);
    loose = [];
  }
  if (loose.length > 0) yield EventBatch.from(loose);
}

/** Reads the segments of a plan in their order. A limited read may not need the next ones. */
function readAhead({ segments, limit }: ReadPlan, blockOf: BlockSource): (at: number) => Promise<Block> {
  const ahead = limit === Number.POSITIVE_INFINITY ? READ_AHEAD : 0;
  const reads: (Promise<Block> | undefined)[] = [];
  return (at) => {
    for (const segment of segments.slice(reads.length, at + 1 + ahead)) {
      const read = blockOf(segment);
      // If the consumer stops before, this would be an unhandled rejection.
      read.catch(() => undefined);
      reads.push(read);
    }
    const read = reads[at] as Promise<Block>;
    reads[at] = undefined;
    return read;
  };
}

/** Adjacent rows of a batch, in read order. */
interface Run {
  readonly rows: EventBatch;
  readonly from: number;
  readonly to: number;
}

/** Converts a run of ascending rows to read order. */
function createRun(ascending: EventBatch, from: number, to: number, { newestFirst }: ReadPlan): Run {
  if (!newestFirst) return { rows: ascending, from, to };
  return { rows: ascending.reversed(), from: ascending.length - to, to: ascending.length - from };
}

/** The rows that start before the end of the range. */
function wholeRun(ascending: EventBatch, plan: ReadPlan): Run[] {
  const to = rowOf(ascending, plan.end, Number.POSITIVE_INFINITY);
  return to > 0 ? [createRun(ascending, 0, to, plan)] : [];
}

/** The rows that overlap the range. */
function findRuns(ascending: EventBatch, plan: ReadPlan): Run[] {
  const { timestamps, durations } = ascending;
  const stop = rowOf(ascending, plan.end, Number.POSITIVE_INFINITY);
  const runs: Run[] = [];
  let from = -1;
  for (let row = 0; row < stop; row++) {
    const isIn = (timestamps[row] as number) + (durations[row] as number) >= plan.start;
    if (isIn && from < 0) from = row;
    if (isIn || from < 0) continue;
    runs.push(createRun(ascending, from, row, plan));
    from = -1;
  }
  if (from >= 0) runs.push(createRun(ascending, from, stop, plan));
  return plan.newestFirst ? runs.reverse() : runs;
}

/** The first row at or after `from` that follows an event in read order. */
function rowBefore(rows: EventBatch, { timestamp, id }: StoredEvent, from: number, { newestFirst }: ReadPlan): number {
  const { timestamps, ids } = rows;
  return firstWhere(from, rows.length, (row) => {
    const difference = (timestamps[row] as number) - timestamp || (ids?.[row] ?? 0) - id;
    return newestFirst ? difference <= 0 : difference >= 0;
  });
}

/** Counts the events that overlap a range. Only reads segments at its edges. */
export async function countOverlapping(plan: ReadPlan, blockOf: BlockSource): Promise<number> {
  const { start, end, memtable, segments } = plan;
  let count = memtable.length;
  for (const segment of segments) {
    if (segment.ends[0] >= start && segment.last[0] <= end) count += segment.count;
    else count += countIn((await blockOf(segment)).batch, start, end);
  }
  return count;
}

function countIn({ timestamps, durations, length }: EventBatch, start: number, end: number): number {
  let count = 0;
  for (let row = 0; row < length && (timestamps[row] as number) <= end; row++) {
    if ((timestamps[row] as number) + (durations[row] as number) >= start) count++;
  }
  return count;
}
