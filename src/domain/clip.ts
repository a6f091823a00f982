import { EventBatch } from "./batch.js";
import type { Micros } from "./time.js";

/** A time range, optionally open at either end. */
export interface ClipRange {
  /** Microseconds since 1970-01-01 UTC. */
  readonly start?: Micros;
  /** Microseconds since 1970-01-01 UTC. */
  readonly end?: Micros;
}

/** Cuts the events of a read to a range (docs/reference/compatibility.md#reading). */
export async function* clipBatches(
  batches: AsyncIterable<EventBatch>,
  { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY }: ClipRange,
): AsyncGenerator<EventBatch> {
  for await (const batch of batches) yield* clipBatch(batch, start, end);
}

/**
 * Cuts each event of a batch to a range. Copies rows that cross an end; the rows in between remain part of the batch,
 * so that its cached bytes can be used.
 */
export function* clipBatch(batch: EventBatch, start: Micros, end: Micros): Generator<EventBatch> {
  const { length } = batch;
  let from = 0;
  while (from < length) {
    const isOver = crossesEnd(batch, from, start, end);
    let to = from + 1;
    while (to < length && crossesEnd(batch, to, start, end) === isOver) to++;
    yield isOver ? cutRows(batch.slice(from, to), start, end) : batch.slice(from, to);
    from = to;
  }
}

function crossesEnd(batch: EventBatch, index: number, start: Micros, end: Micros): boolean {
  return (batch.timestamps[index] as number) < start || batch.endAt(index) > end;
}

function cutRows(batch: EventBatch, start: Micros, end: Micros): EventBatch {
  const timestamps = batch.timestamps.map((timestamp) => Math.max(timestamp, start));
  return EventBatch.withTable({
    timestamps,
    durations: timestamps.map((timestamp, index) => Math.min(batch.endAt(index), end) - timestamp),
    ids: batch.ids,
    refs: Float64Array.from(timestamps, (_, index) => batch.refAt(index)),
    table: batch.table,
  });
}
