import type { EventBatch } from "../domain/batch.js";
import { clipBatches } from "../domain/clip.js";
import type { Micros } from "../domain/time.js";
import { type TimelineBinning, TimelineBins, type TimelineKind } from "../transforms/timeline-bins.js";
import { createTimeSlice, type TimeSlice } from "../util/time-slice.js";

/** A requested timeline. */
export interface TimelineRequest {
  /** Microseconds since 1970-01-01 UTC. @default the start of the bucket */
  readonly start?: Micros;
  /** Microseconds since 1970-01-01 UTC. @default the end of the bucket */
  readonly end?: Micros;
  /** Maximum number of bins, and of events that are returned individually. */
  readonly bins: number;
}

/** Few events: all of them, each clipped to the range, oldest first. */
export interface TimelineEvents {
  readonly events: AsyncIterable<EventBatch>;
}

/** Activity in a time range, ready to draw. */
export interface Timeline {
  /** `null`, like the end, if the bucket is empty and the request has no range. */
  readonly start: Micros | null;
  readonly end: Micros | null;
  /** Number of events that touch the range. */
  readonly count: number;
  readonly content: TimelineEvents | TimelineBinning;
}

interface ClosedRange {
  readonly start: Micros;
  readonly end: Micros;
}

/** Completes the range of a request with the ends of the bucket; `undefined` if there are none. */
export function closedRange(
  { start, end }: TimelineRequest,
  bucket: { readonly start: Micros | null; readonly end: Micros | null },
): ClosedRange | undefined {
  const from = start ?? bucket.start ?? end;
  const to = end ?? bucket.end ?? start;
  if (from === undefined || to === undefined) return undefined;
  // If the bucket ends before the given start, or starts after the given end, there is nothing to draw between them.
  return end === undefined ? { start: from, end: Math.max(from, to) } : { start: Math.min(from, to), end: to };
}

/** A timeline without events and range. */
export function emptyTimeline(): Timeline {
  return { start: null, end: null, count: 0, content: { events: toAsync([]) } };
}

/** Events between two checks of the clock. */
const SLICE = 4_096;

interface Binning extends ClosedRange, Pick<TimelineRequest, "bins"> {
  /** Throws if it takes too long. @default never */
  readonly check?: () => void;
}

/**
 * Puts events into bins, or returns them unchanged if there are no more of them than bins.
 *
 * @param batches the events that touch the range, oldest first
 */
export async function computeTimeline(
  batches: AsyncIterable<EventBatch>,
  { start, end, bins, check = () => undefined }: Binning,
): Promise<Timeline> {
  const timeSlice = createTimeSlice();
  const binning = new TimelineBins(start, end, bins);
  let waiting: EventBatch[] = [];
  let count = 0;
  for await (const batch of readAhead(batches)) {
    check();
    count += batch.length;
    waiting.push(batch);
    if (count <= bins) continue;
    for (const due of waiting) await addBatch(binning, due, timeSlice);
    waiting = [];
  }
  const content = count > bins ? binning.finish() : { events: clipBatches(toAsync(waiting), { start, end }) };
  return { start, end, count, content };
}

/** Requests the next batch before the last one is used, so that the disk does not wait for the computation. */
async function* readAhead(batches: AsyncIterable<EventBatch>): AsyncGenerator<EventBatch> {
  const iterator = batches[Symbol.asyncIterator]();
  const requestNext = (): Promise<IteratorResult<EventBatch>> => {
    const asked = iterator.next();
    // The consumer gets the error; until then it must not be reported as unhandled.
    asked.catch(() => undefined);
    return asked;
  };
  try {
    let coming = requestNext();
    for (let { done, value } = await coming; !done; { done, value } = await coming) {
      coming = requestNext();
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function* toAsync(batches: readonly EventBatch[]): AsyncGenerator<EventBatch> {
  yield* batches;
}

async function addBatch(binning: TimelineBins, batch: EventBatch, timeSlice: TimeSlice): Promise<void> {
  const kindAt = createKindLookup(binning, batch);
  for (let from = 0; from < batch.length; from += SLICE) {
    const to = Math.min(batch.length, from + SLICE);
    for (let at = from; at < to; at++) {
      binning.add(batch.timestamps[at] as number, batch.durations[at] as number, kindAt(at));
    }
    await timeSlice.yield();
  }
  binning.forget();
}

/** Returns the data of a batch's events: by reference if equal data share one entry, otherwise by their strings. */
function createKindLookup(binning: TimelineBins, batch: EventBatch): (index: number) => TimelineKind {
  const { table } = batch;
  if (table.utf8 === undefined) return (index) => binning.kindOf(batch.textAt(index));
  const kinds: (TimelineKind | undefined)[] = [];
  return (index) => {
    const ref = batch.refAt(index);
    const kind = kinds[ref] ?? { table, ref, weight: 0, text: undefined };
    kinds[ref] = kind;
    return kind;
  };
}
