import type { StoredEvent } from "./event.js";
import { type JsonObject, serializeObject } from "./json.js";
import type { Micros } from "./time.js";

/**
 * The distinct data of a batch. Each entry is known as JSON text, as value, or both; what is not known is made when it
 * is first asked for.
 */
export interface DataTable {
  readonly size: number;
  /** The value of an entry, one object for all who ask. Never changed. */
  valueAt(ref: number): JsonObject;
  /** The same as JSON text. */
  textAt(ref: number): string;
  /** The texts of all entries as UTF-8, for tables that hold them; the serializer copies them from here. */
  readonly utf8?: Utf8Texts;
}

/** JSON texts in UTF-8, one behind the other. */
export interface Utf8Texts {
  readonly bytes: Uint8Array;
  /** Where in `bytes` each text begins, and behind the last one where that ends. */
  readonly starts: ArrayLike<number>;
}

/** Columns of a batch whose data are values. */
export interface BatchColumns {
  readonly timestamps: Float64Array;
  readonly durations: Float64Array;
  /** 0 = this event has none; `null` = none of them has one. */
  readonly ids: Float64Array | null;
  /** One value for each event; equal data is best one object. */
  readonly datas: readonly JsonObject[];
}

/** Columns of a batch whose data are references into a table. */
export interface TableColumns {
  readonly timestamps: Float64Array;
  readonly durations: Float64Array;
  readonly ids: Float64Array | null;
  /** Which entry of the table each event has. */
  readonly refs: ArrayLike<number>;
  readonly table: DataTable;
}

/**
 * Events as columns: what every bulk read, query, export and response is made of. Never changes once it is made, so
 * batches share columns and data freely.
 *
 * Rows stand in the order that was asked for. A batch cut out of a kept one (`slice`, `reversed`) knows its origin, and
 * what was made of the origin, such as its serialized bytes, can be cached by that object.
 */
export class EventBatch {
  readonly length: number;
  /** Starts in microseconds since 1970-01-01 UTC. */
  readonly timestamps: Float64Array;
  /** Lengths in microseconds; may be negative. */
  readonly durations: Float64Array;
  /** 0 = this event has none; `null` = none of them has one. */
  readonly ids: Float64Array | null;
  /** The batch that this one is a part of: itself where it is no part. Identity is the cache key. */
  readonly origin: EventBatch;
  /** Index of the first row within `origin`. */
  readonly offset: number;
  /** Whether `origin` is kept by its storage and handed out again, so that caching by it pays. */
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

  /** Puts events into columns, in their order. A plain adapter needs no more than this. */
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

  /** A batch over columns with a value for each event. */
  static of({ timestamps, durations, ids, datas }: BatchColumns): EventBatch {
    return new EventBatch({ timestamps, durations, ids, datas, refs: undefined, table: new ValueTable(datas) });
  }

  /** A batch over columns with a table of distinct data. @param isKept whether its storage hands it out again */
  static withTable({ timestamps, durations, ids, refs, table }: TableColumns, isKept: boolean = false): EventBatch {
    return new EventBatch({ timestamps, durations, ids, refs, table, datas: undefined, isKept });
  }

  /** One value for each event. Made at the first use. */
  get datas(): readonly JsonObject[] {
    this.#datas ??= Array.from({ length: this.length }, (_, index) => this.dataAt(index));
    return this.#datas;
  }

  /** Which entry of `table` an event has. */
  refAt(index: number): number {
    return this.#refs === undefined ? index : (this.#refs[index] as number);
  }

  get table(): DataTable {
    return this.#table;
  }

  dataAt(index: number): JsonObject {
    return this.#table.valueAt(this.refAt(index));
  }

  /** The data of an event as JSON text. */
  textAt(index: number): string {
    return this.#table.textAt(this.refAt(index));
  }

  /** Where an event ends, in microseconds. Before its start when the duration is negative. */
  endAt(index: number): Micros {
    return (this.timestamps[index] as number) + (this.durations[index] as number);
  }

  /** One event as an object. Its id is 0 when it has none. */
  eventAt(index: number): StoredEvent {
    return {
      id: this.ids === null ? 0 : (this.ids[index] as number),
      timestamp: this.timestamps[index] as number,
      duration: this.durations[index] as number,
      data: this.dataAt(index),
    };
  }

  /** All events as objects, in the order of the rows. */
  events(): StoredEvent[] {
    return Array.from({ length: this.length }, (_, index) => this.eventAt(index));
  }

  /** The events from one index up to before another. The columns are shared. */
  slice(from: number, to: number = this.length): EventBatch {
    if (from === 0 && to === this.length) return this;
    const datas = this.#datas?.slice(from, to);
    const refs = this.#refs;
    return new EventBatch({
      timestamps: this.timestamps.subarray(from, to),
      durations: this.durations.subarray(from, to),
      ids: this.ids === null ? null : this.ids.subarray(from, to),
      refs: refs && partOf(refs, from, to),
      table: refs === undefined && datas !== undefined ? new ValueTable(datas) : this.#table,
      datas,
      origin: this.origin,
      offset: this.offset + from,
      isKept: this.isKept,
    });
  }

  /** The same events from the last to the first; made once, and an origin of its own. */
  reversed(): EventBatch {
    if (this.#reversed === undefined) {
      const refs = this.#refs ?? Float64Array.from({ length: this.length }, (_, index) => index);
      this.#reversed = new EventBatch({
        timestamps: this.timestamps.slice().reverse(),
        durations: this.durations.slice().reverse(),
        ids: this.ids === null ? null : this.ids.slice().reverse(),
        refs: Float64Array.from(refs).reverse(),
        table: this.#table,
        datas: undefined,
        isKept: this.isKept,
      });
    }
    return this.#reversed;
  }
}

interface Columns {
  readonly timestamps: Float64Array;
  readonly durations: Float64Array;
  readonly ids: Float64Array | null;
  /** `undefined`: each row has the entry of its own index. */
  readonly refs: ArrayLike<number> | undefined;
  readonly table: DataTable;
  readonly datas: readonly JsonObject[] | undefined;
  readonly origin?: EventBatch;
  readonly offset?: number;
  readonly isKept?: boolean;
}

/** Shares the memory of a column where it can. */
function partOf(refs: ArrayLike<number>, from: number, to: number): ArrayLike<number> {
  if (refs instanceof Float64Array || refs instanceof Uint32Array || refs instanceof Uint16Array) {
    return refs.subarray(from, to);
  }
  return Array.prototype.slice.call(refs, from, to) as number[];
}

/** Data that are known as values. */
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
