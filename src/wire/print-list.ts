import type { StoredEvent } from "../domain/event.js";
import { printObject } from "../domain/json.js";
import { ByteWriter, utf8 } from "./byte-writer.js";

/** Bytes of an event without its data, at most, and brackets around it. */
const MOST_BYTES = 136;
/** What an event usually takes with its data. */
const USUAL_BYTES = 224;
/** Bytes that are printed at a time. */
const PIECE = 256 * 1024;

const [BEGIN, TIMESTAMP, DURATION, DATA] = ['{"id":', ',"timestamp":"', '","duration":', ',"data":'].map(utf8) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const [OPEN, CLOSE, COMMA, END] = [91, 93, 44, 125] as const;

/** Prints events that were stored just now as the JSON list of an answer, in pieces of bytes. */
export function printList(events: readonly StoredEvent[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let writer = writerFor(events.length);
  writer.reserve(1);
  writer.byte(OPEN);
  for (let index = 0; index < events.length; index++) {
    if (writer.length >= PIECE) {
      pieces.push(writer.finish());
      writer = writerFor(events.length - index);
    }
    const { id, timestamp, duration, data } = events[index] as StoredEvent;
    const text = printObject(data);
    writer.reserve(MOST_BYTES + 3 * text.length);
    if (index > 0) writer.byte(COMMA);
    writer.put(BEGIN);
    writer.integer(id);
    writer.put(TIMESTAMP);
    writer.timestamp(timestamp);
    writer.put(DURATION);
    writer.seconds(duration);
    writer.put(DATA);
    writer.text(text);
    writer.byte(END);
  }
  writer.reserve(1);
  writer.byte(CLOSE);
  pieces.push(writer.finish());
  return pieces;
}

function writerFor(count: number): ByteWriter {
  return new ByteWriter(Math.min(PIECE, count * USUAL_BYTES) + MOST_BYTES);
}
