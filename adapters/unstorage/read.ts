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
import type { Chunk } from "./chunk.js";
import type { ChunkEntry } from "./directory.js";
import type { Shelf } from "./shelf.js";

/** Gives the content of a chunk. */
export type ChunkSource = (entry: ChunkEntry) => Promise<Chunk>;

/** What a read has to look at, taken down at one moment. */
export interface ReadPlan {
  readonly start: Micros;
  readonly end: Micros;
  readonly limit: number;
  readonly newestFirst: boolean;
  /** Events of the tail that are asked for, in the order of the read. */
  readonly tail: readonly StoredEvent[];
  /** Chunks that may hold further ones, in the order of the read. */
  readonly chunks: readonly ChunkEntry[];
}

export function planRead(shelf: Shelf, range: EventRange): ReadPlan {
  const { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = range;
  const newestFirst = range.order !== "oldest";
  const chunks = shelf.directory.overlapping(start, end);
  if (!newestFirst) chunks.reverse();
  const stop = positionOf(shelf.tail, end, Number.POSITIVE_INFINITY);
  const inOrder = newestFirst ? shelf.tail.slice(0, stop).reverse() : shelf.tail.slice(0, stop);
  const tail = inOrder.filter((event) => overlaps(event, start, end)).slice(0, Math.min(limit, inOrder.length));
  const plan = { start, end, limit, newestFirst, tail, chunks };
  return tailSuffices(plan) ? { ...plan, chunks: [] } : plan;
}

/** Whether a limit is reached within the tail, before any chunk. */
function tailSuffices({ tail, chunks, limit, newestFirst }: ReadPlan): boolean {
  const farthest = tail.at(-1);
  const nearest = chunks[0];
  if (limit === 0 || nearest === undefined) return true;
  return newestFirst && farthest !== undefined && tail.length >= limit && farthest.timestamp > nearest.last[0];
}

/** What a read makes of each event. */
export interface Form<E> {
  inChunk(chunk: Chunk, position: number): E;
  inTail(event: StoredEvent): E;
}

export const asStored: Form<StoredEvent> = {
  inChunk: (chunk, position) => chunk.eventAt(position),
  inTail: (event) => event,
};

export const asPrinted: Form<PrintedEvent> = {
  inChunk: (chunk, position) => chunk.printedAt(position),
  inTail: printed,
};

/** Chunks that are being read while the consumer is busy with the one before them. */
const AHEAD = 4;

/** Reads the chunks of a plan one after the other, and ahead as far as it is certain that they are needed. */
class ChunkReader {
  readonly #plan: ReadPlan;
  readonly #chunkOf: ChunkSource;
  readonly #coming: { readonly chunk: Promise<Chunk>; readonly count: number }[] = [];
  #asked = 0;

  constructor(plan: ReadPlan, chunkOf: ChunkSource) {
    this.#plan = plan;
    this.#chunkOf = chunkOf;
  }

  /** @param left how many events are still wanted. @returns `undefined` when no further chunk is needed */
  next(left: number): Promise<Chunk> | undefined {
    let expected = this.#coming.reduce((sum, { count }) => sum + count, 0);
    while (expected < left && this.#coming.length < AHEAD) {
      const entry = this.#plan.chunks[this.#asked];
      if (entry === undefined) break;
      this.#asked++;
      expected += entry.count;
      const chunk = this.#chunkOf(entry);
      // Whoever waits for it hears of a failure; a consumer that stops before does not want to.
      chunk.catch(() => undefined);
      this.#coming.push({ chunk, count: entry.count });
    }
    return this.#coming.shift()?.chunk;
  }
}

/** Carries a plan out: one chunk after the other, with the events of the tail where they belong. */
export async function* carryOut<E extends OrderedEvent>(
  plan: ReadPlan,
  chunkOf: ChunkSource,
  form: Form<E>,
): AsyncGenerator<readonly E[]> {
  const { tail, newestFirst } = plan;
  const comesFirst = (a: OrderedEvent, b: OrderedEvent): boolean => (newestFirst ? byTime(a, b) > 0 : byTime(a, b) < 0);
  const reader = new ChunkReader(plan, chunkOf);
  let left = plan.limit;
  let taken = 0;
  for (let coming = reader.next(left); coming !== undefined; coming = left > 0 ? reader.next(left) : undefined) {
    const chunk = await coming;
    const events: E[] = [];
    for (const position of positionsIn(chunk, plan)) {
      if (events.length >= left) break;
      const event = form.inChunk(chunk, position);
      while (taken < tail.length && comesFirst(tail[taken] as StoredEvent, event)) {
        events.push(form.inTail(tail[taken++] as StoredEvent));
      }
      events.push(event);
    }
    if (events.length > left) events.length = left;
    left -= events.length;
    if (events.length > 0) yield events;
  }
  const rest = tail.slice(taken, taken + Math.min(left, tail.length));
  if (rest.length > 0) yield rest.map(form.inTail);
}

function* positionsIn(chunk: Chunk, { start, end, newestFirst }: ReadPlan): Generator<number> {
  const { starts, durations } = chunk;
  const stop = chunk.positionOf(end, Number.POSITIVE_INFINITY);
  for (let step = 0; step < stop; step++) {
    const position = newestFirst ? stop - 1 - step : step;
    if ((starts[position] as number) + (durations[position] as number) >= start) yield position;
  }
}

/** Counts the events that overlap a range; only chunks at its edges are read. */
export async function countOverlapping(shelf: Shelf, range: TimeRange, chunkOf: ChunkSource): Promise<number> {
  const plan = planRead(shelf, range);
  let count = plan.tail.length;
  for (const entry of plan.chunks) {
    const isInside = entry.ends[0] >= plan.start && entry.last[0] <= plan.end;
    count += isInside ? entry.count : countIn(await chunkOf(entry), plan);
  }
  return count;
}

function countIn(chunk: Chunk, plan: ReadPlan): number {
  let count = 0;
  for (const _ of positionsIn(chunk, plan)) count++;
  return count;
}
