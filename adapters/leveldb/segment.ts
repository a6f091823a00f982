import type { PrintedList, StoredEvent } from "../../src/domain/event.js";
import type { EventList } from "../../src/domain/event-list.js";
import { type JsonObject, printObject } from "../../src/domain/json.js";
import { planColumn, readColumn, writeColumn } from "./column.js";

/**
 * A sealed segment: events in time order as columns, equal data stored once.
 *
 *     segment  = version:u8  count:u32  texts:u32  first:f64
 *                starts:column(count)  durations:column(count)  ids:column(count)  data:column(count)
 *                lengths:column(texts)  text:utf8
 *
 * `starts` and `ids` hold differences to the value before, the first to `first` and to 0. `data` holds indexes into
 * the texts; `lengths` cuts `text`, in UTF-16 units after decoding, into the JSON texts of the distinct data.
 */
const VERSION = 1;
const HEAD_BYTES = 17;

const encoder: TextEncoder = new TextEncoder();
const decoder: TextDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param events at least one, sorted by (timestamp, id) */
export function encodeSegment(events: readonly StoredEvent[]): Uint8Array {
  const count = events.length;
  const first = (events[0] as StoredEvent).timestamp;
  const starts = new Float64Array(count);
  const durations = new Float64Array(count);
  const ids = new Float64Array(count);
  const data = new Float64Array(count);
  const indexes = new Map<string, number>();
  let before = { timestamp: first, id: 0 };
  for (const [position, event] of events.entries()) {
    starts[position] = event.timestamp - before.timestamp;
    durations[position] = event.duration;
    ids[position] = event.id - before.id;
    before = event;
    const text = printObject(event.data);
    const index = indexes.get(text) ?? indexes.size;
    indexes.set(text, index);
    data[position] = index;
  }
  const texts = [...indexes.keys()];
  const lengths = Float64Array.from(texts, (text) => text.length);
  const columns = [starts, durations, ids, data, lengths].map(planColumn);
  const bytes = encoder.encode(texts.join(""));
  const segment = new Uint8Array(columns.reduce((sum, { size }) => sum + size, HEAD_BYTES) + bytes.length);
  const view = new DataView(segment.buffer);
  view.setUint8(0, VERSION);
  view.setUint32(1, count, true);
  view.setUint32(5, texts.length, true);
  view.setFloat64(9, first, true);
  let at = HEAD_BYTES;
  for (const column of columns) at = writeColumn(view, at, column);
  segment.set(bytes, at);
  return segment;
}

/** A segment in memory. Events are made when they are asked for; equal data is one object. */
export interface Block {
  readonly count: number;
  readonly timestamps: Float64Array;
  readonly durations: Float64Array;
  /** Rough size in memory. */
  readonly bytes: number;
  eventAt(position: number): StoredEvent;
  /** All events in time order. Made at the first use. */
  columns(): EventList;
  /** All events in time order, ready to be printed. Made at the first use. */
  printable(): PrintedList;
  /** The first position at which an event with this time and id may stand. */
  positionOf(timestamp: number, id: number): number;
  /** -1 when no event of the block has this id. */
  positionOfId(id: number): number;
}

/** Makes the object of a JSON text; may give one object for equal texts. */
export type ParseData = (text: string) => JsonObject;

const parseData: ParseData = (text) => JSON.parse(text) as JsonObject;

/** @throws Error for bytes that are no segment */
export function decodeSegment(bytes: Uint8Array, parse: ParseData = parseData): Block {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint8(0) !== VERSION) throw new Error(`segment version ${view.getUint8(0)} is unknown`);
  const count = view.getUint32(1, true);
  const timestamps = new Float64Array(count);
  const durations = new Float64Array(count);
  const ids = new Float64Array(count);
  const refs = new Float64Array(count);
  const lengths = new Float64Array(view.getUint32(5, true));
  let at = HEAD_BYTES;
  for (const column of [timestamps, durations, ids, refs, lengths]) at = readColumn(view, at, column);
  let timestamp = view.getFloat64(9, true);
  let id = 0;
  for (let position = 0; position < count; position++) {
    timestamp += timestamps[position] as number;
    timestamps[position] = timestamp;
    id += ids[position] as number;
    ids[position] = id;
    if (!((refs[position] as number) < lengths.length)) throw new Error("an event of it has no data");
  }
  const textBytes = bytes.subarray(at);
  const text = decoder.decode(textBytes);
  const table = textTable(text, lengths, parse);
  let columns: EventList | undefined;
  let printable: PrintedList | undefined;

  function eventAt(position: number): StoredEvent {
    return {
      id: ids[position] as number,
      timestamp: timestamps[position] as number,
      duration: durations[position] as number,
      data: table.dataAt(refs[position] as number),
    };
  }

  return {
    count,
    timestamps,
    durations,
    // Four columns and one of references, and the texts in both forms. Their objects are shared among all blocks.
    bytes: count * 40 + lengths.length * 40 + text.length * 2 + textBytes.length,
    eventAt,
    columns() {
      columns ??= { length: count, starts: timestamps, durations, ids, datas: Array.from(refs, table.dataAt) };
      return columns;
    },
    printable() {
      printable ??= {
        ...{ length: count, timestamps, durations, ids, refs, texts: textBytes },
        textStarts: byteStarts(textBytes, table.starts, text.length),
      };
      return printable;
    },
    positionOfId: (wanted) => ids.indexOf(wanted),
    positionOf(wanted, wantedId) {
      let low = 0;
      let high = count;
      while (low < high) {
        const middle = (low + high) >>> 1;
        const found = timestamps[middle] as number;
        if (found < wanted || (found === wanted && (ids[middle] as number) < wantedId)) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
}

/** The distinct data of a segment, by index. */
interface TextTable {
  /** Where in the whole text each of them begins, in UTF-16 units, and where the last one ends. */
  readonly starts: Float64Array;
  textAt(index: number): string;
  /** Parsed at the first use and then shared. */
  dataAt(index: number): JsonObject;
}

function textTable(text: string, lengths: Float64Array, parse: ParseData): TextTable {
  const parsed: (JsonObject | undefined)[] = new Array(lengths.length);
  const texts: (string | undefined)[] = new Array(lengths.length);
  const starts = new Float64Array(lengths.length + 1);
  for (let index = 0; index < lengths.length; index++) {
    starts[index + 1] = (starts[index] as number) + (lengths[index] as number);
  }
  if (starts[lengths.length] !== text.length) throw new Error("a segment is cut off");

  function textAt(index: number): string {
    const known = texts[index] ?? text.slice(starts[index], starts[index + 1]);
    texts[index] = known;
    return known;
  }

  return {
    starts,
    textAt,
    dataAt(index) {
      const data = parsed[index] ?? parse(textAt(index));
      parsed[index] = data;
      return data;
    },
  };
}

/** Turns places in a text, ascending, into places in its bytes. */
function byteStarts(bytes: Uint8Array, starts: Float64Array, length: number): Float64Array {
  if (bytes.length === length) return starts;
  const found = new Float64Array(starts.length);
  let units = 0;
  let next = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    // Only the first byte of a character counts; one of four bytes makes two units.
    if ((byte & 0xc0) === 0x80) continue;
    while (starts[next] === units) found[next++] = at;
    units += byte >= 0xf0 ? 2 : 1;
  }
  found.fill(bytes.length, next);
  return found;
}

/** All events of a block, in time order. */
export function eventsOf(block: Block): StoredEvent[] {
  return Array.from({ length: block.count }, (_, position) => block.eventAt(position));
}
