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

/** With which a value of JSON can begin. */
const FIRST_CHARACTERS = '{["-0123456789tfn';

/** Bytes by which an encoding is recognized. */
const FIRST_BYTES = 2;

/** Bytes parsed in one go. */
const SLICE_BYTES = 32 * 1024;

/** Chunks that are joined with the next ones. */
const SMALL_CHUNK = 4 * 1024;

/** Where to put the events of a document, and how large it may be. */
export interface DocumentReading {
  readonly spool: DraftSpool;
  readonly limitBytes: number;
  /** Shared by the documents of a request. */
  readonly frames?: FrameCount;
}

/**
 * Reads an export document (docs/api.md#export-and-import) while it arrives: each event goes to the spool as soon as it
 * is complete, so that neither the text nor the events are held as a whole, and other requests run in between. The
 * structure is checked at the end; only then anything may be written.
 *
 * @throws ActivityError `INVALID_INPUT` for text that is not JSON or not such a document, `TOO_LARGE`; what a spool
 *   throws that has no space
 */
export async function readDocument(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { spool, limitBytes, frames }: DocumentReading,
): Promise<ImportDocument> {
  const reader = createReader(spool, frames);
  const timeSlice = createTimeSlice();
  for await (const chunk of inLargeChunks(bytes, limitBytes)) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      reader.write(chunk.subarray(at, at + SLICE_BYTES));
      if (spool.isFull) await spool.spill();
      await timeSlice.yield();
    }
  }
  return documentOf(reader.end(), reader.eventsOf, spool);
}

/**
 * Joins tiny chunks: each would be a text of its own in what is held, which takes far more memory than its content. The
 * first bytes come at once, so that what is no document is refused at its beginning.
 */
async function* inLargeChunks(
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
  /** The frame of the document: in it a list of events is a list with its number. */
  end(): JsonValue;
  /** The events of a list, by its number. */
  eventsOf(list: number): EventList;
}

/** The fault of what cannot be read at all. */
const NOT_JSON = "notJson";

function createReader(spool: DraftSpool, frames?: FrameCount): Reader {
  const lists: EventList[] = [];
  let encoding: TextEncoding = "utf-8";
  let decoder: TextDecoder | undefined;
  const events: SplitterEvents = {
    batch(list, text) {
      for (const value of parsed(`[${text}]`) as readonly JsonValue[]) collect(eventsOf(list), value);
    },
    skip: (list) => void eventsOf(list).invalid++,
    defect: refuse,
  };
  const splitter = createSplitter(events, frames);
  /** Whether only blank text has come so far. */
  let isBlank = true;

  function refuse(reason: string): never {
    throw invalid(`the document is not JSON: ${reason}`, NOT_JSON);
  }

  function parsed(text: string): JsonValue {
    try {
      return JSON.parse(text) as JsonValue;
    } catch (cause) {
      return refuse(cause instanceof Error ? cause.message.slice(0, 200) : "it is not JSON");
    }
  }

  function eventsOf(list: number): EventList {
    const known = lists[list] ?? { drafts: spool.newList(), invalid: 0 };
    lists[list] = known;
    return known;
  }

  function collect(list: EventList, value: JsonValue): void {
    try {
      // As ActivityWatch imports them. A request that inserts such an event is refused.
      const event = isJsonObject(value) && value.data === null ? { ...value, data: {} } : value;
      list.drafts.add(wireParser.event(event, "the event", false));
    } catch (thrown) {
      // One bad event must not block years of data (docs/compatibility.md#transfer).
      if (!ActivityError.is(thrown)) throw thrown;
      list.invalid++;
    }
  }

  function openDecoder(beginning: Uint8Array): TextDecoder {
    if (isGzip(beginning)) refuse("it is compressed with gzip; decompress it first");
    encoding = textEncodingOf(beginning);
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  }

  function decoded(bytes: Uint8Array | undefined): string {
    decoder ??= openDecoder(bytes ?? new Uint8Array());
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      return refuse(`it is not ${encoding.toUpperCase()} text`);
    }
  }

  function write(bytes?: Uint8Array): void {
    const text = decoded(bytes);
    // A mark of the byte order may stand in front of a document; anywhere else it is a character like any other.
    const body = isBlank && text.startsWith("\ufeff") ? text.slice(1) : text;
    const [first] = isBlank ? body.trimStart() : "";
    // What begins with nonsense need not be read to its end.
    if (first !== undefined && !FIRST_CHARACTERS.includes(first)) refuse(`it begins with ${JSON.stringify(first)}`);
    isBlank &&= first === undefined;
    splitter.write(body);
  }

  return {
    write,
    end() {
      write();
      if (isBlank) throw invalid("the document must be JSON, got nothing", NOT_JSON);
      return parsed(splitter.end());
    },
    eventsOf,
  };
}

function documentOf(top: JsonValue, eventsOf: Reader["eventsOf"], spool: DraftSpool): ImportDocument {
  const buckets = isJsonObject(top) ? top.buckets : undefined;
  if (!isJsonObject(buckets)) throw invalid('the document must look like {"buckets": {"<id>": {...}}}', "notExport");
  let invalidEvents = 0;
  const imported = Object.entries(buckets).map(([key, value]): SpooledBucket => {
    const field = `bucket ${JSON.stringify(key)}`;
    const draft = wireParser.bucket(value, field);
    const { id = null, events = null } = isJsonObject(value) ? value : {};
    if (id !== null && typeof id !== "string") throw mustBe(`id of ${field}`, "a string", id);
    if (events !== null && !Array.isArray(events)) throw mustBe(`events of ${field}`, "a list", events);
    const list = events === null ? { drafts: spool.newList(), invalid: 0 } : eventsOf(Number(events[0]));
    invalidEvents += list.invalid;
    return { bucketId: id ?? key, draft, events: list.drafts };
  });
  return { buckets: imported, invalidEvents };
}
