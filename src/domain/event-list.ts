import type { StoredEvent } from "./event.js";
import type { JsonObject } from "./json.js";

/** Events as columns. Never changed once made; lists share columns and data freely. */
export interface EventList {
  readonly length: number;
  /** Starts in microseconds since 1970-01-01 UTC. */
  readonly starts: Float64Array;
  /** Lengths in microseconds; may be negative. */
  readonly durations: Float64Array;
  /** One for each event. Equal data is nearly always one object that all share. */
  readonly datas: readonly JsonObject[];
  /** 0 = none; `null` = no event has one. */
  readonly ids: Float64Array | null;
}

/** Puts events into columns, in their order. */
export function columnsOf(events: readonly StoredEvent[]): EventList {
  return {
    length: events.length,
    starts: Float64Array.from(events, ({ timestamp }) => timestamp),
    durations: Float64Array.from(events, ({ duration }) => duration),
    datas: events.map(({ data }) => data),
    ids: Float64Array.from(events, ({ id }) => id),
  };
}

/** The events from one index up to before another. The columns are shared. */
export function sliceOf({ starts, durations, datas, ids }: EventList, from: number, to: number): EventList {
  return {
    length: to - from,
    starts: starts.subarray(from, to),
    durations: durations.subarray(from, to),
    datas: datas.slice(from, to),
    ids: ids?.subarray(from, to) ?? null,
  };
}
