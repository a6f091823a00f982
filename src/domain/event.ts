import { type JsonObject, printObject } from "./json.js";
import type { Micros } from "./time.js";

/** What happened in a span of time, before it has an id. Never changed in place. */
export interface EventDraft {
  /** Start, microseconds since 1970-01-01 UTC. */
  readonly timestamp: Micros;
  /** Length in microseconds; may be negative (contract rest.md 2.2). */
  readonly duration: Micros;
  readonly data: JsonObject;
  /** Integer from 1 to 2^53 - 1. Given: replaces that event of the bucket, or is taken over if nobody has it. */
  readonly id?: number;
}

/** An event that the storage holds. */
export interface StoredEvent extends EventDraft {
  readonly id: number;
}

/** An event that the storage holds, with its data as JSON text: what answers are made of. */
export interface PrintedEvent {
  readonly id: number;
  readonly timestamp: Micros;
  readonly duration: Micros;
  readonly dataText: string;
}

/**
 * Events that a storage keeps as columns and hands out again and again, ascending by (timestamp, id). Never changes, so
 * that what is made of it may be kept.
 */
export interface PrintedList {
  readonly length: number;
  readonly timestamps: Float64Array;
  readonly durations: Float64Array;
  readonly ids: Float64Array;
  /** The distinct data as JSON texts, in UTF-8, one behind the other. */
  readonly texts: Uint8Array;
  /** Where in `texts` each of them begins, and behind the last one where that ends. */
  readonly textStarts: ArrayLike<number>;
  /** Which of the texts each event has. */
  readonly refs: ArrayLike<number>;
}

/** Some events of such a list that stand next to each other. */
export interface PrintedRun {
  readonly list: PrintedList;
  /** Index of the first one. */
  readonly from: number;
  /** Index behind the last one. */
  readonly to: number;
  /** Whether they come from the last to the first. */
  readonly backwards: boolean;
}

/** Part of a read: single events, or a run. */
export type PrintedChunk = readonly PrintedEvent[] | PrintedRun;

/** Whether part of a read is a run. */
export function isRun(chunk: PrintedChunk): chunk is PrintedRun {
  return !Array.isArray(chunk);
}

const decoder: TextDecoder = new TextDecoder();

/** One of the distinct data of a list, as JSON text. */
export function textAt({ texts, textStarts }: PrintedList, ref: number): string {
  return decoder.decode(texts.subarray(textStarts[ref], textStarts[ref + 1]));
}

/** One event of a list. */
export function printedAt(list: PrintedList, index: number): PrintedEvent {
  return {
    id: list.ids[index] as number,
    timestamp: list.timestamps[index] as number,
    duration: list.durations[index] as number,
    dataText: textAt(list, list.refs[index] as number),
  };
}

/** The indexes of a run in its order. */
export function* indexesOf({ from, to, backwards }: PrintedRun): Generator<number> {
  if (backwards) for (let index = to - 1; index >= from; index--) yield index;
  else for (let index = from; index < to; index++) yield index;
}

/** Prints the data of an event. */
export function printed({ id, timestamp, duration, data }: StoredEvent): PrintedEvent {
  return { id, timestamp, duration, dataText: printObject(data) };
}

/**
 * Ids from here on, which only callers can bring, do not move the counter: a single stray one could use it up. New ids
 * do not come near them in the lifetime of any server.
 */
export const COUNTED_IDS_END: number = Number.MAX_SAFE_INTEGER - 2 ** 32;

/**
 * The counter of new ids after some ids are taken: above all of them.
 *
 * @param nextId the id that would be given out next
 */
export function counterAbove(nextId: number, takenIds: Iterable<number>): number {
  let next = nextId;
  for (const id of takenIds) if (id >= next && id < COUNTED_IDS_END) next = id + 1;
  return next;
}

/** Drafts that have got ids. */
export interface Numbered {
  /** In the order of the drafts. */
  readonly events: StoredEvent[];
  /** Ids that the drafts brought. */
  readonly givenIds: readonly number[];
  /** The counter behind them. */
  readonly nextId: number;
}

/**
 * Gives ids to drafts: new ones lie above every id that one of the drafts brings. From `COUNTED_IDS_END` on, where a
 * caller can push the counter, ids in use are passed over.
 *
 * @param nextId the id that would be given out next
 * @param isTaken whether an event of the bucket may have an id already
 */
export function numbered(
  drafts: readonly EventDraft[],
  nextId: number,
  isTaken: (id: number) => boolean = () => false,
): Numbered {
  const givenIds = drafts.flatMap(({ id }) => id ?? []);
  let next = counterAbove(nextId, givenIds);
  function newId(): number {
    while (next >= COUNTED_IDS_END && (isTaken(next) || givenIds.includes(next))) next++;
    return next++;
  }
  const events = drafts.map(({ id, timestamp, duration, data }) => ({ id: id ?? newId(), timestamp, duration, data }));
  return { events, givenIds, nextId: next };
}

/** Where an event ends, in microseconds. Before its start when the duration is negative. */
export function endOf(event: Pick<EventDraft, "timestamp" | "duration">): Micros {
  return event.timestamp + event.duration;
}

/** The time that an event takes. */
export type OccupiedSpan = Pick<EventDraft, "timestamp" | "duration">;

/** Cuts an event to a range, both ends of which may be open (contract rest.md 4.3). */
function clip<E extends OccupiedSpan>(event: E, start: Micros = event.timestamp, end: Micros = endOf(event)): E {
  const from = Math.max(event.timestamp, start);
  const to = Math.min(endOf(event), end);
  if (from === event.timestamp && to === endOf(event)) return event;
  return { ...event, timestamp: from, duration: to - from };
}

/** Cuts each event of a read to a range. */
export async function* clipped<E extends OccupiedSpan>(
  chunks: AsyncIterable<readonly E[]>,
  start: Micros | undefined,
  end: Micros | undefined,
): AsyncGenerator<readonly E[]> {
  if (start === undefined && end === undefined) yield* chunks;
  else for await (const events of chunks) yield events.map((event) => clip(event, start, end));
}

/** The same for events that are to be printed: of a run, only those that reach over the range are taken out. */
export async function* clippedPrinted(
  chunks: AsyncIterable<PrintedChunk>,
  start: Micros = Number.NEGATIVE_INFINITY,
  end: Micros = Number.POSITIVE_INFINITY,
): AsyncGenerator<PrintedChunk> {
  for await (const chunk of chunks) {
    if (isRun(chunk)) yield* clippedRun(chunk, start, end);
    else yield chunk.map((event) => clip(event, start, end));
  }
}

function* clippedRun(run: PrintedRun, start: Micros, end: Micros): Generator<PrintedChunk> {
  const { list, backwards } = run;
  let { from, to } = run;
  // From the first on that begins in the range, up to the first that may end behind it, nothing reaches over.
  const begun = firstOver(list.timestamps, start, true);
  const late = Math.max(begun, firstOver(latestEnds(list), end, false));
  for (let step = 0; step < run.to - run.from; step++) {
    const index = backwards ? run.to - 1 - step : run.from + step;
    if (index >= begun && index < late) {
      step += backwards ? index - begun : late - 1 - index;
      continue;
    }
    const timestamp = list.timestamps[index] as number;
    if (timestamp >= start && timestamp + (list.durations[index] as number) <= end) continue;
    const before = backwards ? { list, from: index + 1, to, backwards } : { list, from, to: index, backwards };
    if (before.to > before.from) yield before;
    yield [clip(printedAt(list, index), start, end)];
    if (backwards) to = index;
    else from = index + 1;
  }
  if (to > from) yield { list, from, to, backwards };
}

/** The first index in ascending numbers of one above a bound, or at it. */
function firstOver(ascending: Float64Array, bound: number, orAt: boolean): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = ascending[middle] as number;
    if (value > bound || (orAt && value === bound)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const endsOfLists = new WeakMap<PrintedList, Float64Array>();

/** The latest end among the events up to each. Kept, since the same lists are read again and again. */
function latestEnds(list: PrintedList): Float64Array {
  const known = endsOfLists.get(list);
  if (known !== undefined) return known;
  const ends = new Float64Array(list.length);
  let latest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < list.length; index++) {
    latest = Math.max(latest, (list.timestamps[index] as number) + (list.durations[index] as number));
    ends[index] = latest;
  }
  endsOfLists.set(list, ends);
  return ends;
}

/** What decides the place of an event. */
export type OrderedEvent = Pick<StoredEvent, "timestamp" | "id">;

/** The order of events in a bucket: by (timestamp, id), ascending. */
export function byTime(a: OrderedEvent, b: OrderedEvent): number {
  return a.timestamp - b.timestamp || a.id - b.id;
}

/**
 * Tells whether a span touches a range, both ends of both included (contract rest.md 4.3).
 * The same test serves events of negative duration.
 */
export function overlaps(event: EventDraft, start: Micros, end: Micros): boolean {
  return event.timestamp <= end && event.timestamp + event.duration >= start;
}

/**
 * The first position in a list sorted by (timestamp, id) at which an event with this time and id may stand.
 *
 * @returns index from 0 to `events.length`
 */
export function positionOf(events: readonly StoredEvent[], timestamp: Micros, id: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const event = events[middle] as StoredEvent;
    if (event.timestamp < timestamp || (event.timestamp === timestamp && event.id < id)) low = middle + 1;
    else high = middle;
  }
  return low;
}
