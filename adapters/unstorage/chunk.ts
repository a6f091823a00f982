import type { PrintedEvent, StoredEvent } from "../../src/domain/event.js";
import { type JsonObject, printObject, rememberText } from "../../src/domain/json.js";

/**
 * A chunk: events in time order that are never changed in place. Its body is a line with the columns and a line for
 * each distinct data:
 *
 *     {"starts":[…],"durations":[…],"ids":[…],"data":[0,1,0,…]}
 *     {"app":"editor"}
 *     {"app":"browser"}
 *
 * JSON as it is printed has no line breaks, so the lines need no parsing to be told apart.
 */
export interface Chunk {
  readonly count: number;
  readonly starts: readonly number[];
  readonly durations: readonly number[];
  /** Rough size in memory, in bytes. */
  readonly bytes: number;
  eventAt(position: number): StoredEvent;
  printedAt(position: number): PrintedEvent;
  /** The first position at which an event with this time and id may stand. */
  positionOf(timestamp: number, id: number): number;
  /** -1 when no event of the chunk has this id. */
  positionOfId(id: number): number;
}

/** The JSON text of data, made once. */
export function textOf(data: JsonObject): string {
  const text = printObject(data);
  rememberText(data, text);
  return text;
}

/** @param events at least one, sorted by (timestamp, id) */
export function printChunk(events: readonly StoredEvent[]): string {
  const indexes = new Map<string, number>();
  const data = events.map((event) => {
    const text = textOf(event.data);
    const index = indexes.get(text) ?? indexes.size;
    indexes.set(text, index);
    return index;
  });
  const columns = {
    starts: events.map(({ timestamp }) => timestamp),
    durations: events.map(({ duration }) => duration),
    ids: events.map(({ id }) => id),
    data,
  };
  return [JSON.stringify(columns), ...indexes.keys()].join("\n");
}

interface Columns {
  readonly starts: readonly number[];
  readonly durations: readonly number[];
  readonly ids: readonly number[];
  readonly data: readonly number[];
}

/** @throws Error for a body that is no chunk */
export function parseChunk(body: string): Chunk {
  const [head, ...texts] = body.split("\n");
  const { starts, durations, ids, data } = JSON.parse(head as string) as Columns;
  const count = starts.length;
  if (durations.length !== count || ids.length !== count || data.length !== count) {
    throw new Error("its columns differ in length");
  }
  if (!data.every((index) => index < texts.length)) throw new Error("an event of it has no data");
  const parsed: (JsonObject | undefined)[] = new Array(texts.length);

  const textAt = (position: number): string => texts[data[position] as number] as string;

  /** Parsed at the first use and then shared. */
  function dataAt(position: number): JsonObject {
    const index = data[position] as number;
    const known = parsed[index];
    if (known !== undefined) return known;
    const text = textAt(position);
    const value = JSON.parse(text) as JsonObject;
    parsed[index] = value;
    return value;
  }

  return {
    count,
    starts,
    durations,
    // Four numbers an event, and each text once as it is and about twice more as an object.
    bytes: count * 32 + texts.length * 100 + (body.length - (head as string).length) * 4,
    eventAt: (position) => ({
      id: ids[position] as number,
      timestamp: starts[position] as number,
      duration: durations[position] as number,
      data: dataAt(position),
    }),
    printedAt: (position) => ({
      id: ids[position] as number,
      timestamp: starts[position] as number,
      duration: durations[position] as number,
      dataText: textAt(position),
    }),
    positionOfId: (id) => ids.indexOf(id),
    positionOf(timestamp, id) {
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const start = starts[middle] as number;
        if (start < timestamp || (start === timestamp && (ids[middle] as number) < id)) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}

/** All events of a chunk, in time order. */
export function eventsOf(chunk: Chunk): StoredEvent[] {
  return Array.from({ length: chunk.count }, (_, position) => chunk.eventAt(position));
}

/** Events of a full chunk. */
const CHUNK_EVENTS = 256;
/** Most characters of a chunk's data, as long as it holds more than one event. */
const CHUNK_WEIGHT = 64 * 1024;

/** Size of an event in a record, roughly, in characters. */
export function weightOf(event: StoredEvent): number {
  return textOf(event.data).length + 40;
}

/** Cuts sorted events into runs that make good chunks: of equal numbers, as far as their sizes allow. */
export function partsOf(events: readonly StoredEvent[]): (readonly StoredEvent[])[] {
  const parts: (readonly StoredEvent[])[] = [];
  const most = Math.ceil(events.length / Math.ceil(events.length / CHUNK_EVENTS));
  let from = 0;
  let weight = 0;
  for (const [index, event] of events.entries()) {
    const own = weightOf(event);
    if (index > from && (index - from >= most || weight + own > CHUNK_WEIGHT)) {
      parts.push(events.slice(from, index));
      from = index;
      weight = 0;
    }
    weight += own;
  }
  if (from < events.length) parts.push(events.slice(from));
  return parts;
}
