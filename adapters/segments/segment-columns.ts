import type { EventBatch } from "../../src/domain/batch.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { type JsonObject, serializeObject } from "../../src/domain/json.js";
import { SEGMENT_GAP } from "./split-events.js";

/** Content of a segment: at least one event, sorted by (timestamp, id). */
export interface SegmentColumns {
  readonly timestamps: Float64Array;
  readonly durations: Float64Array;
  readonly ids: Float64Array;
  /** Index of each event's text. */
  readonly refs: Float64Array;
  /** Concatenated JSON of the distinct data in UTF-8, in the order of their first events. */
  readonly text: Uint8Array;
  /** Length of each text in bytes. */
  readonly lengths: Float64Array;
}

const encoder: TextEncoder = new TextEncoder();

/** Number of events that shows whether they share data objects. */
const SAMPLE = 100;

/** Events between two steps of `columnsInSteps`. */
const STEP_EVENTS = 16;

/** @param events at least one, sorted by (timestamp, id) */
export function columnsOf(events: readonly StoredEvent[]): SegmentColumns {
  const steps = columnsInSteps(events);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** `columnsOf` with many short steps. */
export function* columnsInSteps(events: readonly StoredEvent[]): Generator<undefined, SegmentColumns> {
  const count = events.length;
  const timestamps = new Float64Array(count);
  const durations = new Float64Array(count);
  const ids = new Float64Array(count);
  const refs = new Float64Array(count);
  const indexes = new Map<string, number>();
  const indexesByData = new Map<JsonObject, number>();
  let isShared = true;
  for (let position = 0; position < count; position++) {
    const event = events[position] as StoredEvent;
    timestamps[position] = event.timestamp;
    durations[position] = event.duration;
    ids[position] = event.id;
    let index = isShared ? indexesByData.get(event.data) : undefined;
    if (index === undefined) {
      const text = serializeObject(event.data);
      index = indexes.get(text) ?? indexes.size;
      indexes.set(text, index);
      if (isShared) indexesByData.set(event.data, index);
    }
    // If few events share data, looking objects up costs as much as serializing them.
    if (position === SAMPLE) isShared = indexesByData.size <= SAMPLE;
    refs[position] = index;
    if (position % STEP_EVENTS === 0) yield;
  }
  const texts = [...indexes.keys()];
  const text = encoder.encode(texts.join(""));
  return { timestamps, durations, ids, refs, text, lengths: byteLengths(texts, text) };
}

/**
 * Copies some rows of a segment, without creating objects of their data.
 *
 * @param rows ascending, at least one
 * @returns `undefined` if the rows do not fit into one segment
 */
export function columnsOfRows(batch: EventBatch, rows: readonly number[]): SegmentColumns | undefined {
  const { utf8, size } = batch.table;
  if (utf8 === undefined || batch.ids === null) return undefined;
  const timestamps = columnOf(batch.timestamps, rows);
  for (let row = 1; row < timestamps.length; row++) {
    if ((timestamps[row] as number) - (timestamps[row - 1] as number) >= SEGMENT_GAP) return undefined;
  }
  const refs = new Float64Array(rows.length);
  const indexes = new Int32Array(size).fill(-1);
  const used: number[] = [];
  for (let position = 0; position < rows.length; position++) {
    const ref = batch.refAt(rows[position] as number);
    if (indexes[ref] === -1) indexes[ref] = used.push(ref) - 1;
    refs[position] = indexes[ref] as number;
  }
  const { bytes, starts } = utf8;
  const lengths = Float64Array.from(used, (ref) => (starts[ref + 1] as number) - (starts[ref] as number));
  const text = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const [index, ref] of used.entries()) {
    text.set(bytes.subarray(starts[ref], starts[ref + 1]), at);
    at += lengths[index] as number;
  }
  const [durations, ids] = [columnOf(batch.durations, rows), columnOf(batch.ids, rows)];
  return { timestamps, durations, ids, refs, text, lengths };
}

function columnOf(column: Float64Array, rows: readonly number[]): Float64Array {
  const values = new Float64Array(rows.length);
  for (let position = 0; position < rows.length; position++) values[position] = column[rows[position] as number] ?? 0;
  return values;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about all of ASCII
const BEYOND_ASCII = /[^\x00-\x7f]/;

function byteLengths(texts: readonly string[], bytes: Uint8Array): Float64Array {
  const lengths = new Float64Array(texts.length);
  let sum = 0;
  for (let index = 0; index < texts.length; index++) {
    lengths[index] = (texts[index] as string).length;
    sum += lengths[index] as number;
  }
  // Fast path: usually every character has one byte.
  if (sum === bytes.length) return lengths;
  // The test costs a tenth of encoding.
  return Float64Array.from(texts, (text) => (BEYOND_ASCII.test(text) ? encoder.encode(text).length : text.length));
}
