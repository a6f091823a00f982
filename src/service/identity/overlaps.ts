// Resolves overlaps of events when buckets are merged. docs/guides/buckets.md#overlaps
import type { DomainOf } from "../../api/codec.js";
import type { EventBatch } from "../../domain/batch.js";
import { endOf, type StoredEvent } from "../../domain/event.js";
import { jsonKey } from "../../domain/json-key.js";
import type { Micros } from "../../domain/time.js";
import { createTimeSlice } from "../../util/time-slice.js";

/** How to resolve overlapping events of different buckets. */
export type OverlapPolicy = DomainOf<"BucketMerging">["overlaps"];

/** An event and its position. */
export interface PositionedEvent {
  /** The index of its bucket; 0 is the target of the merge. */
  readonly source: number;
  /** The number of earlier events in its bucket. */
  readonly position: number;
  readonly event: StoredEvent;
}

/** The result for an event. */
export interface OverlapResolution extends PositionedEvent {
  /** `equal`: another bucket has an equal event; `covered`: nothing is left of it. */
  readonly outcome: "kept" | "cut" | "equal" | "covered";
  /** Its new start and end. */
  readonly start: Micros;
  readonly end: Micros;
}

/**
 * Resolves overlapping events between buckets, a batch at a time.
 *
 * @param reads their events, the oldest first
 */
export async function* resolveOverlaps(
  reads: readonly AsyncIterable<EventBatch>[],
  policy: OverlapPolicy,
): AsyncGenerator<readonly OverlapResolution[]> {
  const timeSlice = createTimeSlice();
  const rule = RULES[policy](reads.length);
  let resolutions: OverlapResolution[] = [];
  let group: PositionedEvent[] = [];
  const resolveGroup = (): void => {
    for (const placed of removeEqual(group, resolutions)) rule.add(placed, resolutions);
    group = [];
  };
  for await (const placed of mergeReads(reads)) {
    for (const each of placed) {
      if (group.length > 0 && group[0]?.event.timestamp !== each.event.timestamp) resolveGroup();
      group.push(each);
    }
    if (resolutions.length > 0) yield resolutions;
    resolutions = [];
    await timeSlice.yield();
  }
  resolveGroup();
  rule.end(resolutions);
  if (resolutions.length > 0) yield resolutions;
}

/** Maximum number of events per result. */
const AT_ONCE = 1024;

/** A position in the events of a bucket. */
interface Cursor {
  readonly batches: AsyncIterator<EventBatch>;
  batch: EventBatch | undefined;
  row: number;
  position: number;
}

/** The events of all buckets by (timestamp, bucket). Events of one bucket keep their order. */
async function* mergeReads(reads: readonly AsyncIterable<EventBatch>[]): AsyncGenerator<readonly PositionedEvent[]> {
  const cursors = reads.map((read): Cursor => {
    return { batches: read[Symbol.asyncIterator](), batch: undefined, row: 0, position: 0 };
  });
  try {
    yield* mergeCursors(cursors);
  } finally {
    await Promise.all(cursors.map(({ batches }) => batches.return?.()));
  }
}

async function* mergeCursors(cursors: readonly Cursor[]): AsyncGenerator<readonly PositionedEvent[]> {
  for (const cursor of cursors) cursor.batch = await nextBatch(cursor.batches);
  let placed: PositionedEvent[] = [];
  for (;;) {
    const source = findEarliest(cursors);
    const cursor = cursors[source];
    if (cursor?.batch === undefined) break;
    placed.push({ source, position: cursor.position++, event: cursor.batch.eventAt(cursor.row++) });
    if (cursor.row === cursor.batch.length) {
      cursor.batch = await nextBatch(cursor.batches);
      cursor.row = 0;
    }
    if (placed.length < AT_ONCE) continue;
    yield placed;
    placed = [];
  }
  yield placed;
}

async function nextBatch(batches: AsyncIterator<EventBatch>): Promise<EventBatch | undefined> {
  const next = await batches.next();
  return next.done === true ? undefined : next.value;
}

/** @returns the index of the cursor with the earliest event; -1 if all are at their ends */
function findEarliest(cursors: readonly Cursor[]): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < cursors.length; index++) {
    const { batch, row } = cursors[index] as Cursor;
    const time = batch?.timestamps[row];
    if (time === undefined || time >= least) continue;
    best = index;
    least = time;
  }
  return best;
}

/**
 * Removes events that an earlier bucket contains as well. @param group events of one timestamp, in the order of their
 * buckets
 */
function removeEqual(group: readonly PositionedEvent[], resolutions: OverlapResolution[]): readonly PositionedEvent[] {
  const [first] = group;
  if (group.every(({ source }) => source === first?.source)) return group;
  const seen = new Map<string, number>();
  return group.filter((placed) => {
    const { duration, data } = placed.event;
    const key = `${duration} ${jsonKey(data)}`;
    const by = seen.get(key);
    if (by === undefined) seen.set(key, placed.source);
    // Keeps both twins within a bucket.
    if (by === undefined || by === placed.source) return true;
    resolutions.push(createResolution(placed, "equal"));
    return false;
  });
}

/** Decides about events in their order. */
interface Rule {
  add(placed: PositionedEvent, resolutions: OverlapResolution[]): void;
  /** Decides about the remaining events. */
  end(resolutions: OverlapResolution[]): void;
}

const RULES: Readonly<Record<OverlapPolicy, (sources: number) => Rule>> = {
  "keep-both": () => ({
    add: (placed, resolutions) => void resolutions.push(createResolution(placed, "kept")),
    end: () => undefined,
  }),
  "first-wins": (sources) => new FirstWins(sources),
  "cut-older": (sources) => new CutOlder(sources),
};

function createResolution(placed: PositionedEvent, outcome: OverlapResolution["outcome"]): OverlapResolution {
  const { source, position, event } = placed;
  return { source, position, event, outcome, start: event.timestamp, end: endOf(event) };
}

/** An event that starts within an event of another bucket starts at its end instead. */
class FirstWins implements Rule {
  /** By bucket, the latest end of its events. */
  readonly #ends: Float64Array;

  constructor(sources: number) {
    this.#ends = new Float64Array(sources).fill(Number.NEGATIVE_INFINITY);
  }

  add(placed: PositionedEvent, resolutions: OverlapResolution[]): void {
    const resolution = createResolution(placed, "kept");
    // Events without a duration do not overlap.
    if (placed.event.duration <= 0) return void resolutions.push(resolution);
    let start = resolution.start;
    for (let source = 0; source < this.#ends.length; source++) {
      if (source !== placed.source) start = Math.max(start, this.#ends[source] as number);
    }
    if (start >= resolution.end) return void resolutions.push({ ...resolution, outcome: "covered" });
    resolutions.push(start === resolution.start ? resolution : { ...resolution, outcome: "cut", start });
    this.#ends[placed.source] = Math.max(this.#ends[placed.source] as number, resolution.end);
  }

  end(): void {}
}

/** Finished events are returned once this many wait, or twice as many as remained. */
const MAX_WAITING = 1024;

/** An event ends where an event of another bucket starts. */
class CutOlder implements Rule {
  /** By bucket, the events that may still be cut. */
  readonly #waiting: OverlapResolution[][];
  readonly #sweepAt: number[];

  constructor(sources: number) {
    this.#waiting = Array.from({ length: sources }, () => []);
    this.#sweepAt = new Array<number>(sources).fill(MAX_WAITING);
  }

  add(placed: PositionedEvent, resolutions: OverlapResolution[]): void {
    const resolution = createResolution(placed, "kept");
    if (placed.event.duration <= 0) return void resolutions.push(resolution);
    if (this.#hasSameStart(resolution)) return void resolutions.push({ ...resolution, outcome: "covered" });
    for (const [source, waiting] of this.#waiting.entries()) {
      if (source === placed.source || waiting.length === 0) continue;
      for (const older of waiting) {
        resolutions.push(older.end <= resolution.start ? older : { ...older, outcome: "cut", end: resolution.start });
      }
      this.#waiting[source] = [];
    }
    this.#addWaiting(resolution, resolutions);
  }

  end(resolutions: OverlapResolution[]): void {
    for (const waiting of this.#waiting) for (const resolution of waiting) resolutions.push(resolution);
  }

  /** If two events start at the same time, the one of the bucket that comes first in the list stays. */
  #hasSameStart({ source, start }: OverlapResolution): boolean {
    return this.#waiting.some((waiting, other) => other !== source && waiting.at(-1)?.start === start);
  }

  #addWaiting(resolution: OverlapResolution, resolutions: OverlapResolution[]): void {
    const { source, start } = resolution;
    let waiting = this.#waiting[source] as OverlapResolution[];
    if (waiting.length >= (this.#sweepAt[source] as number)) {
      for (const each of waiting) if (each.end <= start) resolutions.push(each);
      waiting = waiting.filter(({ end }) => end > start);
      this.#waiting[source] = waiting;
      this.#sweepAt[source] = Math.max(MAX_WAITING, waiting.length * 2);
    }
    waiting.push(resolution);
  }
}
