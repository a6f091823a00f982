import { type DataTable, EventBatch, type Utf8Texts } from "../../src/domain/batch.js";
import type { JsonObject } from "../../src/domain/json.js";
import { firstWhere } from "../../src/util/binary-search.js";
import { addSumToBytes, SUM_BYTES, takeSumFromBytes } from "./checksum.js";
import { planColumn, readColumn, writeColumn } from "./column.js";
import { segmentKey } from "./keys.js";
import type { SegmentColumns } from "./segment-columns.js";
import type { SegmentName } from "./store.js";

/**
 * A segment: events in time order as columns, equal data stored once.
 *
 *     segment  = version:u8  cipher:u8  keyId:u32  count:u32  texts:u32  first:f64
 *                starts:column(count)  durations:column(count)  ids:column(count)  data:column(count)
 *                lengths:column(texts)  text:utf8  checksum:u32
 *
 * `starts` and `ids` hold differences to the value before, the first to `first` and to 0. `data` holds indexes into
 * the texts; `lengths` cuts `text`, in bytes, into the JSON texts of the distinct data. `cipher` and `keyId` are
 * reserved for encryption and 0. The checksum covers the key of the segment and all before it.
 */
const VERSION = 2;
const HEAD_BYTES = 22;

const decoder: TextDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function encodeSegment(name: SegmentName, segmentColumns: SegmentColumns): Uint8Array {
  const { timestamps, durations, ids, refs, text, lengths } = segmentColumns;
  const count = timestamps.length;
  const first = timestamps[0] as number;
  const columns = [differences(timestamps, first), durations, differences(ids, 0), refs, lengths].map(planColumn);
  const size = columns.reduce((sum, column) => sum + column.size, HEAD_BYTES) + text.length + SUM_BYTES;
  const segment = new Uint8Array(size);
  const view = new DataView(segment.buffer);
  view.setUint8(0, VERSION);
  view.setUint32(6, count, true);
  view.setUint32(10, lengths.length, true);
  view.setFloat64(14, first, true);
  let at = HEAD_BYTES;
  for (const column of columns) at = writeColumn(view, at, column);
  segment.set(text, at);
  addSumToBytes(segmentKey(name), segment);
  return segment;
}

/** Values as differences to the one before. */
function differences(column: Float64Array, first: number): Float64Array {
  const values = new Float64Array(column.length);
  let before = first;
  for (let index = 0; index < column.length; index++) {
    const value = column[index] as number;
    values[index] = value - before;
    before = value;
  }
  return values;
}

/** Makes the object of a JSON text; may give one object for equal texts. */
export type ParseData = (text: string) => JsonObject;

const parseData: ParseData = (text) => JSON.parse(text) as JsonObject;

/** A decoded segment. */
export interface Block {
  /** All events, in time order. */
  readonly batch: EventBatch;
  /** Rough size in memory. */
  readonly bytes: number;
}

/**
 * @param name of the segment that was asked for
 * @throws Error for bytes that are not that segment, or damaged
 */
export function decodeSegment(name: SegmentName, stored: Uint8Array, parse: ParseData = parseData): Block {
  const bytes = takeSumFromBytes(segmentKey(name), stored);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint8(0) !== VERSION) throw new Error(`segment version ${view.getUint8(0)} is unknown`);
  if (view.getUint8(1) !== 0) throw new Error("the segment is encrypted");
  const count = view.getUint32(6, true);
  const timestamps = new Float64Array(count);
  const durations = new Float64Array(count);
  const ids = new Float64Array(count);
  const refs = new Float64Array(count);
  const lengths = new Float64Array(view.getUint32(10, true));
  let at = HEAD_BYTES;
  for (const column of [timestamps, durations, ids, refs, lengths]) at = readColumn(view, at, column);
  accumulate(timestamps, view.getFloat64(14, true));
  accumulate(ids, 0);
  const table = new TextTable(bytes.subarray(at), lengths, parse);
  for (const ref of refs) if (!(ref < lengths.length)) throw new Error("an event of the segment has no data");
  const batch = EventBatch.withTable({ timestamps, durations, ids, refs, table }, true);
  // Four columns, once more the other way round, and the texts in both forms. Their objects are shared.
  return { batch, bytes: count * 64 + lengths.length * 40 + (bytes.length - at) * 2 };
}

/** Differences as values. */
function accumulate(column: Float64Array, first: number): void {
  let value = first;
  for (let index = 0; index < column.length; index++) {
    value += column[index] as number;
    column[index] = value;
  }
}

/** The distinct data of a segment, as it stands there: texts and objects are made when they are asked for. */
class TextTable implements DataTable {
  readonly size: number;
  readonly utf8: Utf8Texts;
  readonly #parse: ParseData;
  readonly #values: (JsonObject | undefined)[];
  /** All texts in one, and where each of them begins in it. Made at the first use. */
  #whole: { readonly text: string; readonly starts: ArrayLike<number> } | undefined;

  constructor(bytes: Uint8Array, lengths: Float64Array, parse: ParseData) {
    const starts = new Float64Array(lengths.length + 1);
    for (let index = 0; index < lengths.length; index++) {
      starts[index + 1] = (starts[index] as number) + (lengths[index] as number);
    }
    if (starts[lengths.length] !== bytes.length) throw new Error("the segment is cut off");
    this.size = lengths.length;
    this.utf8 = { bytes, starts };
    this.#parse = parse;
    this.#values = new Array(lengths.length);
  }

  valueAt(ref: number): JsonObject {
    const value = this.#values[ref] ?? this.#parse(this.textAt(ref));
    this.#values[ref] = value;
    return value;
  }

  textAt(ref: number): string {
    this.#whole ??= this.#decode();
    const { text, starts } = this.#whole;
    return text.slice(starts[ref], starts[ref + 1]);
  }

  #decode(): { readonly text: string; readonly starts: ArrayLike<number> } {
    const { bytes, starts } = this.utf8;
    const text = decoder.decode(bytes);
    return { text, starts: text.length === bytes.length ? starts : unitStarts(bytes, starts) };
  }
}

/** Places in bytes, ascending, as places in their text, in UTF-16 units. */
function unitStarts(bytes: Uint8Array, starts: ArrayLike<number>): Float64Array {
  const found = new Float64Array(starts.length);
  let units = 0;
  for (let text = 0; text < starts.length; text++) {
    found[text] = units;
    const end = starts[text + 1] ?? 0;
    for (let at = starts[text] as number; at < end; at++) {
      const byte = bytes[at] as number;
      // Only the first byte of a character counts; one of four bytes makes two units.
      if (byte < 0x80 || byte >= 0xc0) units += byte >= 0xf0 ? 2 : 1;
    }
  }
  return found;
}

/** The first row of an ascending batch at which an event with this time and id may stand. */
export function rowOf(batch: EventBatch, timestamp: number, id: number): number {
  const { timestamps, ids } = batch;
  return firstWhere(0, batch.length, (row) => {
    const found = timestamps[row] as number;
    return found > timestamp || (found === timestamp && (ids?.[row] ?? 0) >= id);
  });
}

/** The row of an event by its id; -1 when the batch has none. */
export function rowOfId(batch: EventBatch, id: number): number {
  return batch.ids?.indexOf(id) ?? -1;
}
