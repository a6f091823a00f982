import type { StoredEvent } from "./event.js";
import { type JsonObject, serializeObject } from "./json.js";
import type { Micros } from "./time.js";

/**
 * Distinct data of a batch. Each entry exists as JSON, as a value, or both; the other form is created when first
 * needed.
 */
export interface DataTable {
  readonly size: number;
  /** The value of an entry, always the same object. Immutable. */
  valueAt(ref: number): JsonObject;
  /** The JSON of an entry. */
  textAt(ref: number): string;
  /** JSON of all entries in UTF-8, if the table has it; the serializer copies from here. */
  readonly utf8?: Utf8Texts;
}

/** Memory of an event in `createColumns`, in bytes. */
export const COLUMN_BYTES: number = 28;

/** Concatenated JSON in UTF-8. */
export interface Utf8Texts {
  readonly bytes: Uint8Array;
  /** Start of each entry in `bytes`, followed by the end of the last one. */
  readonly starts: ArrayLike<number>;
}

/** Columns of a batch with data as values. */
export interface BatchColumns {
  readonly timestamps: Float64Array;
  readonly durations: Float64Array;
  /** 0 = this event has no ID; `null` = no event has one. */
  readonly ids: Float64Array | null;
  /** One value per event; equal data should be one object. */
  readonly datas: readonly JsonObject[];
}

/** Columns of a batch with data as references into a table. */
export interface TableColumns {
  readonly timestamps: Float64Array;
  readonly durations: Float64Array;
  readonly ids: Float64Array | null;
  /** Table entry of each event. */
  readonly refs: ArrayLike<number>;
  readonly table: DataTable;
}

/**
 * Events as columns: the basis of every bulk read, query, export and response. Immutable, so that batches share columns
 * and data freely.
 *
 * Rows are in the requested order. A part of a cached batch (`slice`, `reversed`) knows its origin, so that results
 * derived from the origin, such as its serialized bytes, can be cached by that object.
 */
export class EventBatch {
  readonly length: number;
  /** Starts in microseconds since 1970-01-01 UTC. */
  readonly timestamps: Float64Array;
  /** Durations in microseconds; may be negative. */
  readonly durations: Float64Array;
  /** 0 = this event has no ID; `null` = no event has one. */
  readonly ids: Float64Array | null;
  /** The batch that this one is a part of, or this one. Identity is the cache key. */
  readonly origin: EventBatch;
  /** Index of the first row within `origin`. */
  readonly offset: number;
  /** Whether the storage caches `origin`, so that caching by it pays off. */
  readonly isKept: boolean;
  readonly #refs: ArrayLike<number> | undefined;
  readonly #table: DataTable;
  #datas: readonly JsonObject[] | undefined;
  #reversed: EventBatch | undefined;

  private constructor(columns: Columns) {
    this.length = columns.timestamps.length;
    this.timestamps = columns.timestamps;
    this.durations = columns.durations;
    this.ids = columns.ids;
    this.#refs = columns.refs;
    this.#table = columns.table;
    this.#datas = columns.datas;
    this.origin = columns.origin ?? this;
    this.offset = columns.offset ?? 0;
    this.isKept = columns.isKept ?? false;
  }

  /** Converts events to columns, in their order. Sufficient for a simple adapter. */
  static from(events: readonly (Omit<StoredEvent, "id"> & { readonly id?: number })[]): EventBatch {
    const length = events.length;
    const timestamps = new Float64Array(length);
    const durations = new Float64Array(length);
    const ids = new Float64Array(length);
    const datas = new Array<JsonObject>(length);
    for (let index = 0; index < length; index++) {
      const event = events[index] as StoredEvent;
      timestamps[index] = event.timestamp;
      durations[index] = event.duration;
      ids[index] = event.id ?? 0;
      datas[index] = event.data;
    }
    return EventBatch.of({ timestamps, durations, ids, datas });
  }

  /** Creates a batch from columns with a value per event. */
  static of({ timestamps, durations, ids, datas }: BatchColumns): EventBatch {
    return new EventBatch({ timestamps, durations, ids, datas, refs: undefined, table: new ValueTable(datas) });
  }

  /** Creates a batch from columns with a table of distinct data. @param isKept whether its storage caches it */
  static withTable({ timestamps, durations, ids, refs, table }: TableColumns, isKept: boolean = false): EventBatch {
    return new EventBatch({ timestamps, durations, ids, refs, table, datas: undefined, isKept });
  }

  /** The same events with these IDs. */
  withIds(ids: Float64Array): EventBatch {
    const { timestamps, durations } = this;
    return new EventBatch({ timestamps, durations, ids, refs: this.#refs, table: this.#table, datas: this.#datas });
  }

  /** One value per event, created lazily. */
  get datas(): readonly JsonObject[] {
    this.#datas ??= Array.from({ length: this.length }, (_, index) => this.dataAt(index));
    return this.#datas;
  }

  /** The event's entry in `table`. */
  refAt(index: number): number {
    return this.#refs === undefined ? index : (this.#refs[index] as number);
  }

  get table(): DataTable {
    return this.#table;
  }

  dataAt(index: number): JsonObject {
    return this.#table.valueAt(this.refAt(index));
  }

  /** The event's data as JSON. */
  textAt(index: number): string {
    return this.#table.textAt(this.refAt(index));
  }

  /** End of an event in microseconds. Before its start if the duration is negative. */
  endAt(index: number): Micros {
    return (this.timestamps[index] as number) + (this.durations[index] as number);
  }

  /** An event as an object. Its ID is 0 if it has none. */
  eventAt(index: number): StoredEvent {
    return {
      id: this.ids === null ? 0 : (this.ids[index] as number),
      timestamp: this.timestamps[index] as number,
      duration: this.durations[index] as number,
      data: this.dataAt(index),
    };
  }

  /** All events as objects, in row order. */
  events(): StoredEvent[] {
    return Array.from({ length: this.length }, (_, index) => this.eventAt(index));
  }

  /** The events from index `from` up to but not including `to`. Shares the columns. */
  slice(from: number, to: number = this.length): EventBatch {
    if (from === 0 && to === this.length) return this;
    const datas = this.#datas?.slice(from, to);
    const refs = this.#refs;
    return new EventBatch({
      timestamps: this.timestamps.subarray(from, to),
      durations: this.durations.subarray(from, to),
      ids: this.ids === null ? null : this.ids.subarray(from, to),
      refs: refs && subcolumn(refs, from, to),
      table: refs === undefined && datas !== undefined ? new ValueTable(datas) : this.#table,
      datas,
      origin: this.origin,
      offset: this.offset + from,
      isKept: this.isKept,
    });
  }

  /** The events in reverse order. Created once, as a separate origin. */
  reversed(): EventBatch {
    this.#reversed ??= this.#createReversed();
    return this.#reversed;
  }

  #createReversed(): EventBatch {
    const columns = createColumns(this.length);
    const last = this.length - 1;
    for (let index = 0; index <= last; index++) {
      columns.timestamps[index] = this.timestamps[last - index] as number;
      columns.durations[index] = this.durations[last - index] as number;
      columns.ids[index] = this.ids?.[last - index] ?? 0;
      columns.refs[index] = this.refAt(last - index);
    }
    const ids = this.ids === null ? null : columns.ids;
    return new EventBatch({ ...columns, ids, table: this.#table, datas: undefined, isKept: this.isKept });
  }
}

/** Empty columns in one piece of memory: each piece outside the heap costs the garbage collector work. */
export function createColumns(count: number): {
  readonly timestamps: Float64Array;
  readonly durations: Float64Array;
  readonly ids: Float64Array;
  readonly refs: Uint32Array;
} {
  const buffer = new ArrayBuffer(count * COLUMN_BYTES);
  return {
    timestamps: new Float64Array(buffer, 0, count),
    durations: new Float64Array(buffer, 8 * count, count),
    ids: new Float64Array(buffer, 16 * count, count),
    refs: new Uint32Array(buffer, 24 * count, count),
  };
}

interface Columns {
  readonly timestamps: Float64Array;
  readonly durations: Float64Array;
  readonly ids: Float64Array | null;
  /** `undefined`: the entry of each row is its index. */
  readonly refs: ArrayLike<number> | undefined;
  readonly table: DataTable;
  readonly datas: readonly JsonObject[] | undefined;
  readonly origin?: EventBatch;
  readonly offset?: number;
  readonly isKept?: boolean;
}

/** A part of a column, sharing its memory if possible. */
function subcolumn(refs: ArrayLike<number>, from: number, to: number): ArrayLike<number> {
  if (refs instanceof Float64Array || refs instanceof Uint32Array || refs instanceof Uint16Array) {
    return refs.subarray(from, to);
  }
  return Array.prototype.slice.call(refs, from, to) as number[];
}

/** Data as values. */
class ValueTable implements DataTable {
  readonly #values: readonly JsonObject[];

  constructor(values: readonly JsonObject[]) {
    this.#values = values;
  }

  get size(): number {
    return this.#values.length;
  }

  valueAt(ref: number): JsonObject {
    return this.#values[ref] as JsonObject;
  }

  textAt(ref: number): string {
    return serializeObject(this.valueAt(ref));
  }
}
