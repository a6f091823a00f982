import { COLUMN_BYTES, createColumns, type DataTable, EventBatch, type Utf8Texts } from "../../src/domain/batch.js";
import type { JsonObject } from "../../src/domain/json.js";
import { firstWhere } from "../../src/util/binary-search.js";
import { addSumToBytes, removeSumFromBytes, SUM_BYTES } from "./checksum.js";
import { planColumn, readColumn, writeColumn } from "./column.js";
import { segmentKey } from "./keys.js";
import type { SegmentColumns } from "./segment-columns.js";
import type { SegmentName } from "./store.js";

/**
 * A segment: events in time order as columns, with equal data stored once.
 *
 *     segment  = version:u8  cipher:u8  keyId:u32  count:u32  texts:u32  first:f64
 *                starts:column(count)  durations:column(count)  ids:column(count)  data:column(count)
 *                lengths:column(texts)  text:utf8  checksum:u32
 *
 * `starts` and `ids` contain differences to the previous value; the first ones to `first` and to 0. `data` contains
 * indexes into the texts; `lengths` splits `text`, in bytes, into the JSON of the distinct data. `cipher` and `keyId`
 * are reserved and 0. The checksum covers the segment's key and everything before it.
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

/** Converts values to differences to the previous one. */
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

/** Parses JSON to an object, possibly a shared one for equal texts. */
export type ParseData = (text: string) => JsonObject;

const parseData: ParseData = (text) => JSON.parse(text) as JsonObject;

/** A decoded segment. */
export interface Block {
  /** All events, in time order. */
  readonly batch: EventBatch;
  /** Estimated memory. */
  readonly bytes: number;
}

/**
 * @param name of the requested segment
 * @throws Error for bytes of another segment, or damaged ones
 */
export function decodeSegment(name: SegmentName, stored: Uint8Array, parse: ParseData = parseData): Block {
  const bytes = removeSumFromBytes(segmentKey(name), stored);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint8(0) !== VERSION) throw new Error(`segment version ${view.getUint8(0)} is unknown`);
  if (view.getUint8(1) !== 0) throw new Error("the segment is encrypted");
  const count = view.getUint32(6, true);
  const { timestamps, durations, ids, refs } = createColumns(count);
  const lengths = new Float64Array(view.getUint32(10, true));
  let at = HEAD_BYTES;
  for (const column of [timestamps, durations, ids, refs, lengths]) at = readColumn(view, at, column);
  accumulate(timestamps, view.getFloat64(14, true));
  accumulate(ids, 0);
  const table = new TextTable(bytes.subarray(at), lengths, parse);
  if (!areBelow(refs, lengths.length)) throw new Error("an event of the segment has no data");
  const batch = EventBatch.withTable({ timestamps, durations, ids, refs, table }, true);
  // The columns, a reversed copy of them, and the texts in both forms. Objects are shared, so they are not included.
  return { batch, bytes: count * 2 * COLUMN_BYTES + lengths.length * 40 + (bytes.length - at) * 2 };
}

// A loop in `decodeSegment` itself would make V8 optimize all of it: 30 ms of CPU in the first query of a month.
function areBelow(refs: Uint32Array, limit: number): boolean {
  for (let row = 0; row < refs.length; row++) if ((refs[row] as number) >= limit) return false;
  return true;
}

/** Converts differences to values. */
function accumulate(column: Float64Array, first: number): void {
  let value = first;
  for (let index = 0; index < column.length; index++) {
    value += column[index] as number;
    column[index] = value;
  }
}

/** The distinct data of a segment, in encoded form: texts and objects are created lazily. */
class TextTable implements DataTable {
  readonly size: number;
  readonly utf8: Utf8Texts;
  readonly #parse: ParseData;
  readonly #values: (JsonObject | undefined)[];
  /** All texts concatenated, and the start of each. Created lazily. */
  #whole: { readonly text: string; readonly starts: ArrayLike<number> } | undefined;

  constructor(bytes: Uint8Array, lengths: Float64Array, parse: ParseData) {
    const starts = new Float64Array(lengths.length + 1);
    for (let index = 0; index < lengths.length; index++) {
      starts[index + 1] = (starts[index] as number) + (lengths[index] as number);
    }
    if (starts[lengths.length] !== bytes.length) throw new Error("the segment is truncated");
    this.size = lengths.length;
    // Parts of a Node.js Buffer cost more to create.
    this.utf8 = { bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), starts };
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

/** Converts ascending byte positions to positions in UTF-16 units. */
function unitStarts(bytes: Uint8Array, starts: ArrayLike<number>): Float64Array {
  const found = new Float64Array(starts.length);
  let units = 0;
  for (let text = 0; text < starts.length; text++) {
    found[text] = units;
    const end = starts[text + 1] ?? 0;
    for (let at = starts[text] as number; at < end; at++) {
      const byte = bytes[at] as number;
      // Counts only the first byte of each character; one of four bytes has two units.
      if (byte < 0x80 || byte >= 0xc0) units += byte >= 0xf0 ? 2 : 1;
    }
  }
  return found;
}

/** The first row for an event in an ascending batch. */
export function rowOf(batch: EventBatch, timestamp: number, id: number): number {
  const { timestamps, ids } = batch;
  return firstWhere(0, batch.length, (row) => {
    const found = timestamps[row] as number;
    return found > timestamp || (found === timestamp && (ids?.[row] ?? 0) >= id);
  });
}

/** The row of an event by its ID; -1 if there is none. */
export function rowOfId(batch: EventBatch, id: number): number {
  return batch.ids?.indexOf(id) ?? -1;
}
