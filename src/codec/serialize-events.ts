import { type DataTable, EventBatch } from "../domain/batch.js";
import type { AcceptedDraft } from "../domain/event.js";
import { type JsonObject, serializeObject } from "../domain/json.js";
import { microsToSeconds, serializeTimestamp } from "../domain/time.js";
import { slicesOf } from "../util/slices.js";
import { createTimeSlice, turnOfLoop } from "../util/time-slice.js";
import { ByteWriter, utf8 } from "./byte-writer.js";

/** How events stand in a document. */
export interface EventForm {
  /** Whether each event names its id; `null` where it has none. */
  readonly withIds: boolean;
}

/** Bytes of an event without its data, at most. */
const MOST_BYTES = 136;
/** What an event usually takes beside its data, rather too much. */
const USUAL_BYTES = 88;
/** What the data of an event usually takes. */
const USUAL_DATA_BYTES = 136;
/** Bytes that are serialized at a time: others want to be served in between, and memory is to be let go. */
const CHUNK = 128 * 1024;

/** Behind a full chunk there is usually room for its last event: growing copies all of it. */
const CHUNK_ROOM = CHUNK + 1024;

/** Events that are put into columns at a time. */
const SLICE = 1_024;
/** Events after which it is known whether some of them share an object with their data. */
const SAMPLE = 100;

const COMMA = 44;
const OPEN = 91;
const CLOSE = 93;
const BEGIN = 123;
const [ID, NULL, TIMESTAMP, DURATION, DATA, END] = [
  '"id":',
  "null",
  '"timestamp":"',
  '","duration":',
  ',"data":',
  "},",
].map(utf8) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];

/**
 * Serializes one event as text, byte for byte what `serializeEvents` writes of a batch of it. Short responses are sent
 * fastest as text.
 */
export function serializeEvent({ id, timestamp, duration, data }: AcceptedDraft): string {
  const seconds = microsToSeconds(duration);
  const time = serializeTimestamp(timestamp);
  return `{"id":${id || null},"timestamp":"${time}","duration":${seconds},"data":${serializeObject(data)}}`;
}

/** The same of an event of some megabytes: others run before, after and between what takes long. */
export async function serializeLargeEvent(event: AcceptedDraft): Promise<Uint8Array[]> {
  await turnOfLoop();
  const text = serializeEvent(event);
  await turnOfLoop();
  const bytes = utf8(text);
  await turnOfLoop();
  return [bytes];
}

/** Serializes a batch as JSON objects, each with a comma behind it, in chunks of bytes. */
export function* serializeEvents(batch: EventBatch, form: EventForm): Generator<Uint8Array> {
  for (let from = 0; from < batch.length; ) {
    const writer = new ByteWriter(Math.min(CHUNK_ROOM, bytesFor(batch, from, CHUNK_ROOM)));
    from += writeEvents(writer, batch, from, { ...form, most: CHUNK });
    yield writer.finish();
  }
}

/** Serializes what became of events just now as a JSON list, in chunks of bytes; others run in between. */
export async function serializeList(events: readonly AcceptedDraft[]): Promise<Uint8Array[]> {
  if (events.length === 0) return [utf8("[]")];
  const timeSlice = createTimeSlice();
  const chunks: Uint8Array[] = [];
  for (const slice of slicesOf(events, SLICE)) {
    const batch = batchOf(slice);
    for (let from = 0; from < batch.length; ) {
      const writer = new ByteWriter(Math.min(CHUNK_ROOM, bytesFor(batch, from, CHUNK_ROOM) + USUAL_BYTES));
      if (chunks.length === 0) writer.byte(OPEN);
      from += writeEvents(writer, batch, from, { withIds: true, most: CHUNK });
      chunks.push(writer.finish());
    }
    await timeSlice.yield();
  }
  // In the place of the last comma.
  const last = chunks.at(-1) as Uint8Array;
  last[last.length - 1] = CLOSE;
  return chunks;
}

/** A batch of events. Data that is one object, as equal data of a large insert is, becomes text once. */
function batchOf(events: readonly AcceptedDraft[]): EventBatch {
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
    // Looking an object up costs as much as serializing it.
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

/** How far to write, and what to note. */
export interface EventWriting extends EventForm {
  /** Bytes after which the writing stops. */
  readonly most: number;
  /** Gets where each event begins. */
  readonly starts?: Uint32Array;
}

/**
 * Writes events from one row on, each with a comma behind it.
 *
 * @returns how many events were written
 */
export function writeEvents(
  writer: ByteWriter,
  batch: EventBatch,
  from: number,
  { withIds, most, starts }: EventWriting,
): number {
  const { length, timestamps, durations, ids, table } = batch;
  const texts = table.utf8;
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
    writer.reserve(MOST_BYTES + (texts === undefined ? 3 * text.length : textEnd - textStart));
    writer.byte(BEGIN);
    if (withIds) {
      writer.put(ID);
      const id = ids === null ? 0 : (ids[index] as number);
      if (id === 0) writer.put(NULL);
      else writer.integer(id);
      writer.byte(COMMA);
    }
    writer.put(TIMESTAMP);
    writer.timestamp(timestamps[index] as number);
    writer.put(DURATION);
    writer.seconds(durations[index] as number);
    writer.put(DATA);
    if (texts === undefined) writer.text(text);
    else writer.put(texts.bytes, textStart, textEnd);
    writer.put(END);
  }
  return length - from;
}

/** About as many bytes as the rows from one on take; counting ends at `most`. */
export function bytesFor(batch: EventBatch, from: number, most: number): number {
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
 * The events of batches as the members of a JSON list, without its brackets.
 *
 * @param serialize gives the events of a batch, each with a comma behind it
 */
export async function* members(
  batches: AsyncIterable<EventBatch>,
  serialize: (batch: EventBatch) => Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  // Each chunk ends with a comma, and that of the last one has to go: so one of them always waits.
  let waiting: Uint8Array | undefined;
  for await (const batch of batches) {
    for (const chunk of serialize(batch)) {
      if (waiting !== undefined) yield waiting;
      waiting = chunk;
    }
  }
  if (waiting !== undefined) yield waiting.subarray(0, -1);
}
