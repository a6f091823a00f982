import { isJsonObject, type JsonValue } from "../domain/json.js";
import { ActivityError, mustBe, tooLarge } from "../errors.js";
import type { DraftList, DraftSpool } from "../service/import/spool.js";
import type { ImportDocument, SpooledBucket } from "../service/import.js";
import { invalid } from "../service/validation.js";
import { GrowingBytes } from "../util/bytes.js";
import { isGzip, type TextEncoding, textEncodingOf } from "../util/text-encoding.js";
import { createTimeSlice } from "../util/time-slice.js";
import { createSplitter, type FrameCount, type SplitterEvents } from "./document-splitter.js";
import { wireParser } from "./parse.js";

/** The events of one `events` list, as far as it has been read. */
interface EventList {
  readonly drafts: DraftList;
  invalid: number;
}

/** Possible first characters of a JSON value. */
const FIRST_CHARACTERS = '{["-0123456789tfn';

/** Bytes needed to detect the encoding. */
const FIRST_BYTES = 2;

/** Bytes to parse between two pauses. */
const SLICE_BYTES = 32 * 1024;

/** Smaller chunks are joined with the next ones. */
const SMALL_CHUNK = 4 * 1024;

/** Destination for the events of a document, and its maximum size. */
export interface DocumentReading {
  readonly spool: DraftSpool;
  readonly limitBytes: number;
  /** Shared by the documents of a request. */
  readonly frames?: FrameCount;
}

/**
 * Reads an export document (docs/reference/api.md#export-and-import) as it arrives. Each complete event goes to the
 * spool immediately, so that neither the text nor the events are in memory as a whole, and other requests run in
 * between. The structure is checked at the end; write nothing before that.
 *
 * @throws ActivityError `INVALID_INPUT` for invalid JSON or another document, `TOO_LARGE`; errors of a spool without
 * space
 */
export async function readDocument(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { spool, limitBytes, frames }: DocumentReading,
): Promise<ImportDocument> {
  const reader = createReader(spool, frames);
  const timeSlice = createTimeSlice();
  for await (const chunk of joinSmallChunks(bytes, limitBytes)) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      reader.write(chunk.subarray(at, at + SLICE_BYTES));
      if (spool.isFull) await spool.spill();
      await timeSlice.yield();
    }
  }
  return parseFrame(reader.end(), reader.eventListAt, spool);
}

/**
 * Joins tiny chunks, since retaining each separately takes far more memory than its content. Passes the first bytes on
 * immediately, so that an invalid document fails early.
 */
async function* joinSmallChunks(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limitBytes: number,
): AsyncGenerator<Uint8Array> {
  const held = new GrowingBytes(SMALL_CHUNK);
  let isFirst = true;
  let seen = 0;
  for await (const chunk of bytes) {
    seen += chunk.length;
    if (seen > limitBytes) throw tooLarge(limitBytes);
    held.add(isFirst || chunk.length >= SMALL_CHUNK ? chunk : chunk.slice());
    if (held.length < (isFirst ? FIRST_BYTES : SMALL_CHUNK)) continue;
    isFirst = false;
    yield held.take();
  }
  if (held.length > 0) yield held.take();
}

interface Reader {
  write(bytes: Uint8Array): void;
  /** Returns the frame of the document, in which each event list contains only its number. */
  end(): JsonValue;
  /** The events of a list, by its number. */
  eventListAt(list: number): EventList;
}

/** Fault names of invalid documents. */
export const NOT_JSON = "notJson";
export const NOT_EXPORT = "notExport";

function createReader(spool: DraftSpool, frames?: FrameCount): Reader {
  const lists: EventList[] = [];
  let encoding: TextEncoding = "utf-8";
  let decoder: TextDecoder | undefined;
  const events: SplitterEvents = {
    batch(list, text) {
      for (const value of parseJson(`[${text}]`) as readonly JsonValue[]) collect(eventListAt(list), value);
    },
    skip: (list) => void eventListAt(list).invalid++,
    defect: refuse,
  };
  const splitter = createSplitter(events, frames);
  /** Whether all text so far is white space. */
  let isBlank = true;

  function refuse(reason: string): never {
    throw invalid(`the document is not JSON: ${reason}`, NOT_JSON);
  }

  function parseJson(text: string): JsonValue {
    try {
      return JSON.parse(text) as JsonValue;
    } catch (cause) {
      return refuse(cause instanceof Error ? cause.message.slice(0, 200) : "it is not JSON");
    }
  }

  function eventListAt(list: number): EventList {
    const known = lists[list] ?? { drafts: spool.newList(), invalid: 0 };
    lists[list] = known;
    return known;
  }

  function collect(list: EventList, value: JsonValue): void {
    try {
      // Null data are accepted like in ActivityWatch imports, although requests that insert such events are rejected.
      const event = isJsonObject(value) && value.data === null ? { ...value, data: {} } : value;
      list.drafts.add(wireParser.event(event, "the event", false));
    } catch (thrown) {
      // An invalid event must not block years of data (docs/reference/compatibility.md#transfer).
      if (!ActivityError.is(thrown)) throw thrown;
      list.invalid++;
    }
  }

  function openDecoder(beginning: Uint8Array): TextDecoder {
    if (isGzip(beginning)) refuse("it is compressed with gzip; decompress it first");
    encoding = textEncodingOf(beginning);
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  }

  function decode(bytes: Uint8Array | undefined): string {
    decoder ??= openDecoder(bytes ?? new Uint8Array());
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      return refuse(`it is not ${encoding.toUpperCase()} text`);
    }
  }

  function write(bytes?: Uint8Array): void {
    const text = decode(bytes);
    // A byte order mark is only allowed at the start of a document; later it is an ordinary character.
    const body = isBlank && text.startsWith("\ufeff") ? text.slice(1) : text;
    const [first] = isBlank ? body.trimStart() : "";
    // Rejects other content at the first character.
    if (first !== undefined && !FIRST_CHARACTERS.includes(first)) refuse(`it starts with ${JSON.stringify(first)}`);
    isBlank &&= first === undefined;
    splitter.write(body);
  }

  return {
    write,
    end() {
      write();
      if (isBlank) throw invalid("the document must be JSON, got nothing", NOT_JSON);
      return parseJson(splitter.end());
    },
    eventListAt: eventListAt,
  };
}

function parseFrame(top: JsonValue, eventListAt: Reader["eventListAt"], spool: DraftSpool): ImportDocument {
  const buckets = isJsonObject(top) ? top.buckets : undefined;
  if (!isJsonObject(buckets)) throw invalid('the document must look like {"buckets": {"<id>": {...}}}', NOT_EXPORT);
  let invalidEvents = 0;
  const imported = Object.entries(buckets).map(([key, value]): SpooledBucket => {
    const field = `bucket ${JSON.stringify(key)}`;
    const draft = wireParser.bucket(value, field);
    const { id = null, events = null } = isJsonObject(value) ? value : {};
    if (id !== null && typeof id !== "string") throw mustBe(`id of ${field}`, "a string", id);
    if (events !== null && !Array.isArray(events)) throw mustBe(`events of ${field}`, "a list", events);
    const list = events === null ? { drafts: spool.newList(), invalid: 0 } : eventListAt(Number(events[0]));
    invalidEvents += list.invalid;
    return { bucketId: id ?? key, draft, events: list.drafts };
  });
  return { buckets: imported, invalidEvents };
}
