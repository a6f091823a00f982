import type { StoredEvent } from "../domain/event.js";
import type { EventList } from "../domain/event-list.js";
import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";

/**
 * A computation that pauses now and then, at each `yield`, so that whoever drives it can let others run, or give up by
 * not going on. Between two pauses lie at most about `STEP_EVENTS` events, less where each of them costs more.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Events from one pause to the next: well below a millisecond of work. */
export const STEP_EVENTS = 4_096;

/** Runs to the end without a pause. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

// The loops over events stand in functions that the generators call: in the body of a generator itself V8 keeps
// numbers on the heap, which makes a pass twice as slow.

/** Calls `work` again and again, with a pause in between, as long as it answers that something is left to do. */
export function* whileAny(work: () => boolean): Steps<void> {
  while (work()) yield;
}

/** Calls `work` for all indexes below `length`, a slice at a time, with a pause in between. */
export function* inSlices(length: number, work: (from: number, to: number) => void): Steps<void> {
  for (let from = 0; from < length; from += STEP_EVENTS) {
    if (from > 0) yield;
    work(from, Math.min(from + STEP_EVENTS, length));
  }
}

/** Whether `test` holds for all slices of the indexes below `length`; ends with the first for which it does not. */
export function* holdsInSlices(length: number, test: (from: number, to: number) => boolean): Steps<boolean> {
  for (let from = 0; from < length; from += STEP_EVENTS) {
    if (from > 0) yield;
    if (!test(from, Math.min(from + STEP_EVENTS, length))) return false;
  }
  return true;
}

/** The data of periods that stand for no event in particular. */
export const NO_DATA: JsonObject = Object.freeze({});

const NO_NUMBERS = new Float64Array(0);

/** The list without events. */
export const emptyList: EventList = {
  length: 0,
  starts: NO_NUMBERS,
  durations: NO_NUMBERS,
  datas: [],
  ids: null,
};

/** Makes a list of events that are objects. It shares their data. */
export function fromEvents(events: readonly (Omit<StoredEvent, "id"> & { readonly id?: number })[]): EventList {
  const list = new ListBuilder(events.length);
  for (const { timestamp, duration, data, id } of events) list.add(timestamp, duration, data, id ?? 0);
  return list.finish();
}

/** An event as an object, for answers and tests. */
export interface ListedEvent {
  /** `null` when it has none: it was made of several. */
  readonly id: number | null;
  readonly timestamp: Micros;
  readonly duration: Micros;
  readonly data: JsonObject;
}

/**
 * One event of a list as an object.
 *
 * @param index from 0 to `list.length - 1`
 */
export function toEvent(list: EventList, index: number): ListedEvent {
  return {
    id: idAt(list.ids, index) || null,
    timestamp: list.starts[index] as number,
    duration: list.durations[index] as number,
    data: list.datas[index] as JsonObject,
  };
}

/** The id of an event from the column of ids; 0 = none. */
export function idAt(ids: Float64Array | null, index: number): number {
  return ids === null ? 0 : (ids[index] as number);
}

/** Where an event ends, in microseconds. */
export function endAt({ starts, durations }: EventList, index: number): Micros {
  return (starts[index] as number) + (durations[index] as number);
}

const SMALLEST_CAPACITY = 16;
/** Arrays made with a greater length are hash tables in V8. */
const LARGEST_FLAT_ARRAY = 2 ** 24;

/** A list that grows at its end until it is finished. */
export class ListBuilder {
  #length = 0;
  #starts: Float64Array;
  #durations: Float64Array;
  readonly #datas: JsonObject[];
  /** Made with the first event that has one. */
  #ids: Float64Array | null = null;

  /** @param capacity how many events are expected; more may come */
  constructor(capacity: number = SMALLEST_CAPACITY) {
    const room = Math.max(Math.ceil(capacity), SMALLEST_CAPACITY);
    this.#starts = new Float64Array(room);
    this.#durations = new Float64Array(room);
    this.#datas = arrayFor(room);
  }

  get length(): number {
    return this.#length;
  }

  /** @param id 0 = none */
  add(start: Micros, duration: Micros, data: JsonObject, id: number): void {
    const at = this.#length;
    if (at === this.#starts.length) this.#grow();
    this.#starts[at] = start;
    this.#durations[at] = duration;
    this.#datas[at] = data;
    if (id !== 0) {
      this.#ids ??= new Float64Array(this.#starts.length);
      this.#ids[at] = id;
    }
    this.#length = at + 1;
  }

  /** The list. Nothing may be added afterwards. */
  finish(): EventList {
    const length = this.#length;
    if (length === 0) return emptyList;
    this.#datas.length = length;
    return {
      length,
      starts: trimmed(this.#starts, length),
      durations: trimmed(this.#durations, length),
      datas: this.#datas,
      ids: this.#ids && trimmed(this.#ids, length),
    };
  }

  #grow(): void {
    const room = this.#starts.length * 2;
    this.#starts = grown(this.#starts, room);
    this.#durations = grown(this.#durations, room);
    this.#ids &&= grown(this.#ids, room);
  }
}

/** An empty array with room: to be filled from its beginning, without a hole left at the end. */
export function arrayFor<T>(length: number): T[] {
  return new Array<T>(Math.min(length, LARGEST_FLAT_ARRAY));
}

function grown(column: Float64Array, room: number): Float64Array {
  const wider = new Float64Array(room);
  wider.set(column);
  return wider;
}

/** A view where little room is left over; otherwise a copy, since a view would keep all of the room alive. */
function trimmed(column: Float64Array, length: number): Float64Array {
  if (length === column.length) return column;
  return length * 4 > column.length * 3 ? column.subarray(0, length) : column.slice(0, length);
}

/** The events of a list at some indexes, in the order of the indexes. */
export function* pick(list: EventList, indexes: Uint32Array): Steps<EventList> {
  const length = indexes.length;
  if (length === 0) return emptyList;
  // Column by column: random access to one of them at a time is kinder to the caches.
  return {
    length,
    starts: yield* pickNumbers(list.starts, indexes),
    durations: yield* pickNumbers(list.durations, indexes),
    datas: yield* pickDatas(list.datas, indexes),
    ids: list.ids && (yield* pickNumbers(list.ids, indexes)),
  };
}

function* pickNumbers(column: Float64Array, indexes: Uint32Array): Steps<Float64Array> {
  const picked = new Float64Array(indexes.length);
  yield* inSlices(indexes.length, (from, to) => {
    for (let at = from; at < to; at++) picked[at] = column[indexes[at] as number] as number;
  });
  return picked;
}

function* pickDatas(datas: readonly JsonObject[], indexes: Uint32Array): Steps<JsonObject[]> {
  const picked = arrayFor<JsonObject>(indexes.length);
  yield* inSlices(indexes.length, (from, to) => {
    for (let at = from; at < to; at++) picked[at] = datas[indexes[at] as number] as JsonObject;
  });
  return picked;
}

/** A list from behind. Pauses between the columns: copying them goes too fast to be cut into slices. */
export function* reversed(list: EventList): Steps<EventList> {
  const starts = list.starts.slice().reverse();
  yield;
  const durations = list.durations.slice().reverse();
  yield;
  const ids = list.ids?.slice().reverse() ?? null;
  yield;
  return { length: list.length, starts, durations, datas: list.datas.slice().reverse(), ids };
}
