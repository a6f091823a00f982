import { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { forEachSlice, type Steps } from "./steps.js";

/** Data of periods without an event. */
export const NO_DATA: JsonObject = Object.freeze({});

const NO_NUMBERS = new Float64Array(0);

/** The batch without events. */
export const emptyBatch: EventBatch = EventBatch.of({
  timestamps: NO_NUMBERS,
  durations: NO_NUMBERS,
  ids: null,
  datas: [],
});

/** The event's ID in the ID column; 0 = none. */
export function idAt(ids: Float64Array | null, index: number): number {
  return ids === null ? 0 : (ids[index] as number);
}

const SMALLEST_CAPACITY = 16;
/** V8 turns longer preallocated arrays into hash tables. */
const LARGEST_FLAT_ARRAY = 2 ** 24;

/** A batch to append events to. */
export class BatchBuilder {
  #length = 0;
  #timestamps: Float64Array;
  #durations: Float64Array;
  readonly #datas: JsonObject[];
  /** Created with the first event that has an ID. */
  #ids: Float64Array | null = null;

  /** @param capacity expected number of events; more may follow */
  constructor(capacity: number = SMALLEST_CAPACITY) {
    const room = Math.max(Math.ceil(capacity), SMALLEST_CAPACITY);
    this.#timestamps = new Float64Array(room);
    this.#durations = new Float64Array(room);
    this.#datas = createArray(room);
  }

  get length(): number {
    return this.#length;
  }

  /** @param id 0 = none */
  add(start: Micros, duration: Micros, data: JsonObject, id: number): void {
    const at = this.#length;
    if (at === this.#timestamps.length) this.#grow();
    this.#timestamps[at] = start;
    this.#durations[at] = duration;
    this.#datas[at] = data;
    if (id !== 0) {
      this.#ids ??= new Float64Array(this.#timestamps.length);
      this.#ids[at] = id;
    }
    this.#length = at + 1;
  }

  /** Start of the last event. */
  get lastStart(): Micros {
    return this.#timestamps[this.#length - 1] as number;
  }

  /** End of the last event. */
  get lastEnd(): Micros {
    return this.lastStart + (this.#durations[this.#length - 1] as number);
  }

  get lastData(): JsonObject {
    return this.#datas[this.#length - 1] as JsonObject;
  }

  /** Moves the end of the last event. */
  endLast(end: Micros): void {
    this.#durations[this.#length - 1] = end - this.lastStart;
  }

  clearLastId(): void {
    if (this.#ids !== null) this.#ids[this.#length - 1] = 0;
  }

  dropLast(): void {
    this.clearLastId();
    this.#length--;
  }

  /** Returns the batch. Add nothing afterwards. */
  finish(): EventBatch {
    const length = this.#length;
    if (length === 0) return emptyBatch;
    this.#datas.length = length;
    return EventBatch.of({
      timestamps: trim(this.#timestamps, length),
      durations: trim(this.#durations, length),
      ids: this.#ids && trim(this.#ids, length),
      datas: this.#datas,
    });
  }

  #grow(): void {
    const room = this.#timestamps.length * 2;
    this.#timestamps = growColumn(this.#timestamps, room);
    this.#durations = growColumn(this.#durations, room);
    this.#ids &&= growColumn(this.#ids, room);
  }
}

/** An empty array with capacity. Fill it from the start, without leaving holes. */
export function createArray<T>(length: number): T[] {
  return new Array<T>(Math.min(length, LARGEST_FLAT_ARRAY));
}

function growColumn(column: Float64Array, room: number): Float64Array {
  const wider = new Float64Array(room);
  wider.set(column);
  return wider;
}

/** A view if little capacity is unused; otherwise a copy, since a view keeps all of it alive. */
function trim(column: Float64Array, length: number): Float64Array {
  if (length === column.length) return column;
  return length * 4 > column.length * 3 ? column.subarray(0, length) : column.slice(0, length);
}

/** The events of a batch at the given indexes, in their order. */
export function* pick(batch: EventBatch, indexes: Uint32Array): Steps<EventBatch> {
  if (indexes.length === 0) return emptyBatch;
  // Column by column, since random access to one column at a time uses the caches better.
  return EventBatch.of({
    timestamps: yield* pickNumbers(batch.timestamps, indexes),
    durations: yield* pickNumbers(batch.durations, indexes),
    datas: yield* pickDatas(batch.datas, indexes),
    ids: batch.ids && (yield* pickNumbers(batch.ids, indexes)),
  });
}

function* pickNumbers(column: Float64Array, indexes: Uint32Array): Steps<Float64Array> {
  const picked = new Float64Array(indexes.length);
  yield* forEachSlice(indexes.length, (from, to) => {
    for (let at = from; at < to; at++) picked[at] = column[indexes[at] as number] as number;
  });
  return picked;
}

function* pickDatas(datas: readonly JsonObject[], indexes: Uint32Array): Steps<JsonObject[]> {
  const picked = createArray<JsonObject>(indexes.length);
  yield* forEachSlice(indexes.length, (from, to) => {
    for (let at = from; at < to; at++) picked[at] = datas[indexes[at] as number] as JsonObject;
  });
  return picked;
}

/** Reverses a batch. Pauses between the columns, since copying them is too fast to be sliced. */
export function* reversed(batch: EventBatch): Steps<EventBatch> {
  const timestamps = batch.timestamps.slice().reverse();
  yield;
  const durations = batch.durations.slice().reverse();
  yield;
  const ids = batch.ids?.slice().reverse() ?? null;
  yield;
  return EventBatch.of({ timestamps, durations, ids, datas: batch.datas.slice().reverse() });
}
