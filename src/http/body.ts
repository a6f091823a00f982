import type { BodyLimits } from "../api/operation.js";
import { checkJson, EVENT_LIMITS } from "../codec/json-limits.js";
import { findListStart, parseListInSlices } from "../codec/json-slices.js";
import { isJsonObject, type JsonValue } from "../domain/json.js";
import { ActivityError, messageOf, tooLarge } from "../errors.js";
import { invalid } from "../service/validation.js";
import { GrowingBytes, release } from "../util/bytes.js";
import { isGzip, textEncodingOf } from "../util/text-encoding.js";
import { createTimeSlice } from "../util/time-slice.js";
import type { RequestContext } from "./request-context.js";

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json$/;

/** The media type of a request body in lower case, without parameters; empty if there is none. */
export function mediaTypeOf(request: RequestContext): string {
  const header = request.header("content-type") ?? "";
  const end = header.indexOf(";");
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
}

/**
 * Whether a media type is JSON. Bodies of other types are refused: this blocks form posts, which a foreign page can
 * send without a preflight (docs/reference/compatibility.md#requests-and-responses).
 */
export function isJsonType(mediaType: string): boolean {
  return mediaType === "application/json" || JSON_TYPE.test(mediaType);
}

/** @returns the error of a body of the wrong type */
export function unsupportedType(mediaType: string, wanted: string): ActivityError {
  const given = mediaType === "" ? "no Content-Type" : `Content-Type ${mediaType}`;
  return new ActivityError("UNSUPPORTED_TYPE", `${given} cannot be read here; send ${wanted}`);
}

/**
 * Reads a JSON body.
 *
 * @throws ActivityError `UNSUPPORTED_TYPE`, `TOO_LARGE`, or `INVALID_INPUT` for an empty body, text that is not JSON,
 *   and too many values or levels
 */
export async function readJson(request: RequestContext, limits: BodyLimits): Promise<JsonValue> {
  const bytes = await readBytes(request, limits.bytes);
  refuseEncoded(request, bytes);
  refuseExcess(bytes, limits);
  const value = parseText(bytes);
  release(bytes);
  request.isPreview = isJsonObject(value) && value["preview"] === true;
  return value;
}

/** Not async, which would add promises to every heartbeat. @throws ActivityError at once, or by the promise */
function readBytes(request: RequestContext, limitBytes: number): Promise<Uint8Array> {
  const mediaType = mediaTypeOf(request);
  if (!isJsonType(mediaType)) throw unsupportedType(mediaType, "application/json");
  refuseAnnounced(request, limitBytes);
  const { bodyWatch, afterBody } = request;
  const reading = request.bytes?.(limitBytes, bodyWatch) ?? collected(request, limitBytes);
  const bytes = bodyWatch === undefined ? reading : bodyWatch.during(reading);
  if (afterBody === undefined) return bytes;
  return bytes.then(async (whole) => {
    await afterBody();
    return whole;
  });
}

const OPEN_OBJECT = 0x7b;
const OPEN_LIST = 0x5b;

/** @throws ActivityError `UNSUPPORTED_TYPE`, `INVALID_INPUT` for bytes that are not plain UTF-8 */
function refuseEncoded(request: RequestContext, bytes: Uint8Array): void {
  if ((bytes[0] === OPEN_OBJECT || bytes[0] === OPEN_LIST) && bytes[1] !== 0) return;
  refuseCompressed(request, bytes);
  if (textEncodingOf(bytes) !== "utf-8") throw invalid("the body is UTF-16 text; send UTF-8");
}

/** First bytes of JSON and forms, including a byte order mark and white space. */
const PLAIN_BEGINNING = /^[{["\-\dtfn\s\u00ef]/;

/**
 * Checks the bytes, not the header: the embedder's body parser may have decompressed the body, or the client may have
 * sent a wrong header.
 *
 * @throws ActivityError `UNSUPPORTED_TYPE` for a compressed body
 */
function refuseCompressed(request: RequestContext, beginning: Uint8Array): void {
  const [first] = beginning;
  if (first === undefined || PLAIN_BEGINNING.test(String.fromCharCode(first))) return;
  const encoding = request.header("content-encoding")?.trim().toLowerCase().slice(0, 40) ?? "";
  const isNamed = encoding !== "" && encoding !== "identity";
  if (!isNamed && !isGzip(beginning)) return;
  const found = isNamed ? `Content-Encoding ${encoding} cannot be read here` : "the body is compressed with gzip";
  throw new ActivityError("UNSUPPORTED_TYPE", `${found}; send the body uncompressed`);
}

/** Bytes above which a list is read a few elements at a time. */
const LARGE_LIST = 1024 * 1024;

/** Results of reading a body: one for each element of its list, or for its one value. */
export interface Items<Item> {
  readonly isList: boolean;
  readonly items: readonly Item[];
  /** Whether the body takes long to read, and a response with the same data long to write. */
  readonly isLarge: boolean;
}

/**
 * Reads a JSON body that is a list, or one element of such a list. A large list is read with pauses.
 *
 * @param read converts an element; its index is `undefined` outside a list
 * @param readList converts a whole list faster; returns `undefined` if it cannot
 * @throws ActivityError as `readJson` does; errors of `read`
 */
export async function readItems<Item>(
  request: RequestContext,
  limits: BodyLimits,
  read: (value: JsonValue, index: number | undefined) => Item,
  readList?: (bytes: Uint8Array) => readonly Item[] | undefined,
): Promise<Items<Item>> {
  const bytes = await readBytes(request, limits.bytes);
  refuseEncoded(request, bytes);
  const isLarge = bytes.length > LARGE_LIST;
  if (!isLarge) refuseExcess(bytes, limits);
  const known = isLarge ? undefined : readList?.(bytes);
  if (known !== undefined) {
    release(bytes);
    return { isList: true, items: known, isLarge };
  }
  const start = isLarge ? findListStart(bytes) : undefined;
  if (start === undefined) {
    const value = isLarge ? await parseLargeEvent(bytes, limits) : parseText(bytes);
    release(bytes);
    if (!Array.isArray(value)) return { isList: false, items: [read(value, undefined)], isLarge };
    return { isList: true, items: (value as readonly JsonValue[]).map(read), isLarge };
  }
  const timeSlice = createTimeSlice();
  const items: Item[] = [];
  const slices = parseListInSlices(bytes, start, limits);
  for (;;) {
    const { done, value } = parsing(() => slices.next());
    if (done) {
      release(bytes);
      return { isList: true, items, isLarge };
    }
    for (const element of value) items.push(read(element, items.length));
    await timeSlice.yield();
  }
}

/** Bodies up to this size are parsed without a look at their structure: parsing takes at most 25 ms. */
const QUICKLY_PARSED = 256 * 1024;

/**
 * Parses a single event, as large as it may be in a list. A large list is read in parts.
 *
 * @throws ActivityError `TOO_LARGE`, `INVALID_INPUT`
 */
async function parseLargeEvent(bytes: Uint8Array, limits: BodyLimits): Promise<JsonValue> {
  if (bytes.length > EVENT_LIMITS.size) throw tooLarge(EVENT_LIMITS.size);
  const timeSlice = createTimeSlice();
  checkJson(bytes, { ...limits, values: EVENT_LIMITS.values });
  await timeSlice.yield();
  const value = parseText(bytes);
  await timeSlice.yield();
  return value;
}

/** @throws ActivityError `INVALID_INPUT` for too many values or levels */
function refuseExcess(bytes: Uint8Array, limits: BodyLimits): void {
  // A value takes at least two bytes.
  if (bytes.length > QUICKLY_PARSED || bytes.length > limits.values * 2) checkJson(bytes, limits);
}

/** @throws ActivityError `INVALID_INPUT` */
function parseText(bytes: Uint8Array): JsonValue {
  const text = decodeUtf8(bytes);
  if (text === "") throw new ActivityError("INVALID_INPUT", "the body must be JSON, got nothing");
  return parsing(() => JSON.parse(text) as JsonValue);
}

/** @throws ActivityError `INVALID_INPUT` for all errors of the parser */
function parsing<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (cause) {
    if (ActivityError.is(cause)) throw cause;
    if (cause instanceof TypeError) throw notUtf8(cause);
    const reason = messageOf(cause);
    throw new ActivityError("INVALID_INPUT", `the body is not JSON: ${reason.slice(0, 200)}`, { cause });
  }
}

async function collected(request: RequestContext, limitBytes: number): Promise<Uint8Array> {
  const body = new GrowingBytes(announcedLength(request));
  for await (const chunk of limited(request, limitBytes)) body.add(chunk);
  return body.take();
}

/** @throws ActivityError `TOO_LARGE` before the first byte is read, if the announced length is too large */
function refuseAnnounced(request: RequestContext, limitBytes: number): void {
  if (announcedLength(request) > limitBytes) throw tooLarge(limitBytes);
}

function announcedLength(request: RequestContext): number {
  return Number(request.header("content-length") ?? 0);
}

/**
 * The body, cut off if it grows too large.
 *
 * @throws ActivityError `TOO_LARGE`, before the first byte if the length is announced; `INVALID_INPUT` if the
 *   client disconnects
 */
export async function* limited(request: RequestContext, limitBytes: number): AsyncGenerator<Uint8Array> {
  refuseAnnounced(request, limitBytes);
  const { bodyWatch } = request;
  let seen = 0;
  try {
    for await (const chunk of request.body()) {
      // The reader already has its response.
      if (bodyWatch?.receive(chunk.length) === false) throw connectionLost();
      seen += chunk.length;
      if (seen > limitBytes) throw tooLarge(limitBytes);
      if (seen === chunk.length) refuseCompressed(request, chunk);
      bodyWatch?.pause();
      yield chunk;
      bodyWatch?.resume();
    }
    bodyWatch?.pause();
  } catch (cause) {
    throw ActivityError.is(cause) ? cause : connectionLost(cause);
  }
}

/** @returns the error of a body that ends too early */
export function connectionLost(cause?: unknown): ActivityError {
  return new ActivityError("INVALID_INPUT", "the body broke off before its end", { cause });
}

const strictUtf8: TextDecoder = new TextDecoder("utf-8", { fatal: true });

/** @throws ActivityError `INVALID_INPUT` for bytes that are not UTF-8: replacing them would change data silently */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch (cause) {
    throw notUtf8(cause);
  }
}

function notUtf8(cause: unknown): ActivityError {
  return new ActivityError("INVALID_INPUT", "the body is not UTF-8 text", { cause });
}

/** @returns the error of a body that the embedder has read before */
export function bodyAlreadyRead(): ActivityError {
  return new ActivityError(
    "INVALID_INPUT",
    "the program around read the body before this server got the request, and kept nothing of it: mount the server " +
      "before the middleware that reads bodies, or let it keep the parsed body in request.body",
  );
}
