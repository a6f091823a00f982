import { clippedPrinted, isRun, type PrintedChunk, type PrintedRun } from "./domain/event.js";
import type { Micros } from "./domain/time.js";
import { createPace, type Pace } from "./pace.js";
import { type TimelineBinning, TimelineBins, type TimelineKind } from "./transforms/timeline-bins.js";

/** What to draw. */
export interface TimelineRequest {
  /** Microseconds since 1970-01-01 UTC. @default that of the bucket */
  readonly start?: Micros;
  /** Microseconds since 1970-01-01 UTC. @default that of the bucket */
  readonly end?: Micros;
  /** The most bins, and the most events that are answered one by one. */
  readonly bins: number;
}

/** Few events: all of them, each cut to the range, oldest first. */
export interface TimelineEvents {
  readonly events: AsyncIterable<PrintedChunk>;
}

/** What happened in a range, to be drawn. */
export interface Timeline {
  /** `null`, as the end, when the bucket is empty and no range was asked for. */
  readonly start: Micros | null;
  readonly end: Micros | null;
  /** Events that touch the range. */
  readonly count: number;
  readonly content: TimelineEvents | TimelineBinning;
}

interface ClosedRange {
  readonly start: Micros;
  readonly end: Micros;
}

/** The range of a request, where it is open with the ends of the bucket. `undefined` when there are none. */
export function closedRange(
  { start, end }: TimelineRequest,
  bucket: { readonly start: Micros | null; readonly end: Micros | null },
): ClosedRange | undefined {
  const from = start ?? bucket.start ?? end;
  const to = end ?? bucket.end ?? start;
  if (from === undefined || to === undefined) return undefined;
  // A bucket that ends before the given start, or begins behind the given end, has nothing to show in between.
  return end === undefined ? { start: from, end: Math.max(from, to) } : { start: Math.min(from, to), end: to };
}

/** Nothing to draw, and no range to draw it in. */
export function emptyTimeline(): Timeline {
  return { start: null, end: null, count: 0, content: { events: given([]) } };
}

/** Events between two looks at the clock. */
const SLICE = 4_096;

/**
 * Puts events into bins, or leaves them as they are when there are not more of them than bins.
 *
 * @param chunks the events that touch the range, oldest first
 */
export async function timelineOf(
  chunks: AsyncIterable<PrintedChunk>,
  { start, end, bins }: ClosedRange & Pick<TimelineRequest, "bins">,
): Promise<Timeline> {
  const pace = createPace();
  const binning = new TimelineBins(start, end, bins);
  let waiting: PrintedChunk[] = [];
  let count = 0;
  for await (const chunk of readAhead(chunks)) {
    count += lengthOf(chunk);
    waiting.push(chunk);
    if (count <= bins) continue;
    for (const due of waiting) await addChunk(binning, due, pace);
    waiting = [];
  }
  const content = count > bins ? binning.finish() : { events: clippedPrinted(given(waiting), start, end) };
  return { start, end, count, content };
}

/** Asks for the next chunk before the last one is used, so that the disk does not wait for the computing. */
async function* readAhead(chunks: AsyncIterable<PrintedChunk>): AsyncGenerator<PrintedChunk> {
  const iterator = chunks[Symbol.asyncIterator]();
  const ask = (): Promise<IteratorResult<PrintedChunk>> => {
    const asked = iterator.next();
    // Whoever waits for it is told; a failure must not count as unseen before.
    asked.catch(() => undefined);
    return asked;
  };
  try {
    let coming = ask();
    for (let { done, value } = await coming; !done; { done, value } = await coming) {
      coming = ask();
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

function lengthOf(chunk: PrintedChunk): number {
  return isRun(chunk) ? chunk.to - chunk.from : chunk.length;
}

async function* given(chunks: readonly PrintedChunk[]): AsyncGenerator<PrintedChunk> {
  yield* chunks;
}

async function addChunk(binning: TimelineBins, chunk: PrintedChunk, pace: Pace): Promise<void> {
  const add = isRun(chunk) ? adderOf(binning, chunk) : undefined;
  const length = lengthOf(chunk);
  for (let from = 0; from < length; from += SLICE) {
    const to = Math.min(length, from + SLICE);
    if (isRun(chunk)) add?.(from, to);
    else {
      for (const { timestamp, duration, dataText } of chunk.slice(from, to)) {
        binning.add(timestamp, duration, binning.kindOf(dataText));
      }
    }
    await pace.breathe();
  }
  binning.forget();
}

/** Adds slices of a run. */
function adderOf(binning: TimelineBins, { list, from: first }: PrintedRun): (from: number, to: number) => void {
  const kinds: (TimelineKind | undefined)[] = [];
  return (from, to) => {
    for (let at = first + from; at < first + to; at++) {
      const ref = list.refs[at] as number;
      const kind = kinds[ref] ?? { list, ref, weight: 0, text: undefined };
      kinds[ref] = kind;
      binning.add(list.timestamps[at] as number, list.durations[at] as number, kind);
    }
  };
}
