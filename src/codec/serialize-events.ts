import { type DataTable, EventBatch } from "../domain/batch.js";
import type { AcceptedDraft } from "../domain/event.js";
import { serializeEvent } from "../domain/event-json.js";
import { type JsonObject, serializeObject } from "../domain/json.js";
import { batchOf } from "../domain/list-batch.js";
import { slicesOf } from "../util/slices.js";
import { createTimeSlice, turnOfLoop } from "../util/time-slice.js";
import { ByteWriter, utf8 } from "./byte-writer.js";

export { serializeEvent };

/** Format of events in a document. */
export interface EventForm {
  /** Whether to include IDs; `null` for an event without one. */
  readonly withIds: boolean;
}

/** Maximum bytes of an event without its data. */
const MAX_EVENT_BYTES = 136;
/** Typical bytes of an event without its data, rounded up. */
const USUAL_BYTES = 88;
/** Typical bytes of an event's data. */
const USUAL_DATA_BYTES = 136;
/** Bytes to serialize at a time, so that other requests run in between and memory is released. */
const CHUNK = 128 * 1024;

/** A full chunk usually has room for its last event, since growing copies everything. */
const CHUNK_ROOM = CHUNK + 1024;

/** Events to convert to columns at a time. */
const SLICE = 1_024;
/** Number of events that shows whether they share data objects. */
const SAMPLE = 100;

const OPEN = 91;
const CLOSE = 93;
const [ID, NULL, TIMESTAMP_AFTER_ID, TIMESTAMP, DURATION, DATA, END] = [
  '{"id":',
  "null",
  ',"timestamp":"',
  '{"timestamp":"',
  '","duration":',
  ',"data":',
  "},",
].map(utf8) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];

/** Serializes an event of several megabytes, with pauses around the slow steps. */
export async function serializeLargeEvent(event: AcceptedDraft): Promise<Uint8Array[]> {
  await turnOfLoop();
  const text = serializeEvent(event);
  await turnOfLoop();
  const bytes = utf8(text);
  await turnOfLoop();
  return [bytes];
}

/** Serializes a batch to JSON objects, each followed by a comma, in chunks. */
export function* serializeEvents(batch: EventBatch, form: EventForm): Generator<Uint8Array> {
  for (let from = 0; from < batch.length; ) {
    const writer = new ByteWriter(Math.min(CHUNK_ROOM, estimateBytes(batch, from, CHUNK_ROOM)));
    from += writeEvents(writer, batch, from, { ...form, most: CHUNK });
    yield writer.finish();
  }
}

/** Serializes the results of an insert to a JSON list, in chunks and time slices. */
export async function serializeList(events: readonly AcceptedDraft[]): Promise<Uint8Array[]> {
  if (events.length === 0) return [utf8("[]")];
  const timeSlice = createTimeSlice();
  const chunks: Uint8Array[] = [];
  const known = batchOf(events);
  for (const batch of known === undefined ? batchesOf(events) : [known]) {
    for (let from = 0; from < batch.length; ) {
      const writer = new ByteWriter(Math.min(CHUNK_ROOM, estimateBytes(batch, from, CHUNK_ROOM) + USUAL_BYTES));
      if (chunks.length === 0) writer.byte(OPEN);
      from += writeEvents(writer, batch, from, { withIds: true, most: CHUNK });
      chunks.push(writer.finish());
      await timeSlice.yield();
    }
  }
  // Replaces the last comma.
  const last = chunks.at(-1) as Uint8Array;
  last[last.length - 1] = CLOSE;
  return chunks;
}

function* batchesOf(events: readonly AcceptedDraft[]): Generator<EventBatch> {
  for (const slice of slicesOf(events, SLICE)) yield toBatch(slice);
}

/** Converts events to a batch. Data objects that events share, as in large inserts, are serialized once. */
function toBatch(events: readonly AcceptedDraft[]): EventBatch {
  const { length } = events;
  const timestamps = new Float64Array(length);
  const durations = new Float64Array(length);
  const ids = new Float64Array(length);
  const refs = new Uint32Array(length);
  const known = new Map<JsonObject, number>();
  const values: JsonObject[] = [];
  const texts: string[] = [];
  let isShared = true;
  for (let index = 0; index < length; index++) {
    const { id, timestamp, duration, data } = events[index] as AcceptedDraft;
    timestamps[index] = timestamp;
    durations[index] = duration;
    ids[index] = id ?? 0;
    let ref = isShared ? known.get(data) : undefined;
    if (ref === undefined) {
      ref = values.push(data) - 1;
      texts.push(serializeObject(data));
      if (isShared) known.set(data, ref);
    }
    // If few events share data, looking objects up costs as much as serializing them.
    if (index === SAMPLE) isShared = known.size <= SAMPLE;
    refs[index] = ref;
  }
  const table: DataTable = {
    size: values.length,
    valueAt: (ref) => values[ref] as JsonObject,
    textAt: (ref) => texts[ref] as string,
  };
  return EventBatch.withTable({ timestamps, durations, ids, refs, table });
}

/** Options for writing events. */
export interface EventWriting extends EventForm {
  /** Stops after this many bytes. */
  readonly most: number;
  /** Receives the start of each event. */
  readonly starts?: Uint32Array;
}

/**
 * Writes events from row `from` on, each followed by a comma.
 *
 * @returns the number of events written
 */
export function writeEvents(
  writer: ByteWriter,
  batch: EventBatch,
  from: number,
  { withIds, most, starts }: EventWriting,
): number {
  const { length, timestamps, durations, ids, table } = batch;
  const texts = table.utf8;
  // Where the data of a table's entry are in the output, if they were written: most events repeat some.
  const places = texts === undefined ? undefined : new Uint32Array(table.size);
  const before = withIds ? TIMESTAMP_AFTER_ID : TIMESTAMP;
  let lastRef = -1;
  let text = "";
  for (let index = from; index < length; index++) {
    if (writer.length >= most) return index - from;
    if (starts !== undefined) starts[index - from] = writer.length;
    const ref = batch.refAt(index);
    const textStart = texts === undefined ? 0 : (texts.starts[ref] as number);
    const textEnd = texts === undefined ? 0 : (texts.starts[ref + 1] as number);
    if (texts === undefined && ref !== lastRef) text = table.textAt(ref);
    lastRef = ref;
    writer.reserve(MAX_EVENT_BYTES + (texts === undefined ? 3 * text.length : textEnd - textStart));
    if (withIds) {
      writer.put(ID);
      const id = ids === null ? 0 : (ids[index] as number);
      if (id === 0) writer.put(NULL);
      else writer.integer(id);
    }
    writer.timestamp(timestamps[index] as number, before, DURATION);
    writer.seconds(durations[index] as number);
    const place = places?.[ref] ?? 0;
    if (place > 0) {
      writer.repeat(place, place + DATA.length + textEnd - textStart + END.length);
      continue;
    }
    if (places !== undefined) places[ref] = writer.length;
    writer.put(DATA);
    if (texts === undefined) writer.text(text);
    else writer.put(texts.bytes, textStart, textEnd);
    writer.put(END);
  }
  return length - from;
}

/** Estimates the bytes of the rows after `from`; stops counting at `most`. */
export function estimateBytes(batch: EventBatch, from: number, most: number): number {
  const texts = batch.table.utf8;
  const count = batch.length - from;
  if (texts === undefined) return count * (USUAL_BYTES + USUAL_DATA_BYTES);
  let bytes = count * USUAL_BYTES;
  for (let index = from; index < batch.length && bytes < most; index++) {
    const ref = batch.refAt(index);
    bytes += (texts.starts[ref + 1] as number) - (texts.starts[ref] as number);
  }
  return bytes;
}

/**
 * Serializes batches as the members of a JSON list, without its brackets.
 *
 * @param serialize serializes a batch, with a comma after each event
 */
export async function* serializeMembers(
  batches: AsyncIterable<EventBatch>,
  serialize: (batch: EventBatch) => Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  // Keeps one chunk back, since the comma at the end of the last one must be removed.
  let waiting: Uint8Array | undefined;
  for await (const batch of batches) {
    for (const chunk of serialize(batch)) {
      if (waiting !== undefined) yield waiting;
      waiting = chunk;
    }
  }
  if (waiting !== undefined) yield waiting.subarray(0, -1);
}
