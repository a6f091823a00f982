import { ActivityError } from "../errors.js";
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./json-signs.js";

/** What a JSON text may hold. */
export interface JsonLimits {
  /** Lists, objects, and what stands in them, on all levels together. */
  readonly values: number;
}

/** Levels of any body; the data of an event may nest 1,000 of them (docs/api.md#limits). */
const MAX_LEVELS = 1024;

/** Of one event, in bytes of a body or characters of a document: it is parsed in one go (docs/api.md#limits). */
export const EVENT_LIMITS: JsonLimits & { readonly size: number } = { size: 8 * 1024 * 1024, values: 50_000 };

/** The error of a body with too many values. */
export function tooManyValues(what: string, values: number): ActivityError {
  return new ActivityError("INVALID_INPUT", `${what} has more than ${values} values`);
}

/** @throws ActivityError `INVALID_INPUT` for a depth above the limit */
export function checkDepth(depth: number, what: string): void {
  if (depth <= MAX_LEVELS) return;
  throw new ActivityError("INVALID_INPUT", `${what} nests more than ${MAX_LEVELS} levels deep`);
}

/**
 * Looks at a text before it is parsed: a parser takes a hundred times as long for values as for their bytes, and longer
 * still for levels.
 *
 * @throws ActivityError `INVALID_INPUT`
 */
export function checkJson(bytes: Uint8Array, { values }: JsonLimits): void {
  let depth = 0;
  let found = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = stringEnd(bytes, at);
    else if (byte === COMMA) found++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      found++;
      checkDepth(++depth, "the body");
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
  }
  if (found > values) throw tooManyValues("the body", values);
}

/** A longer string is searched by the engine: to call it costs as much as to look at so many bytes. */
const SHORT_STRING = 256;

/** The place of the quote that ends a string, or the end of the text. */
export function stringEnd(bytes: Uint8Array, start: number): number {
  const searched = Math.min(start + SHORT_STRING, bytes.length);
  let at = start + 1;
  for (; at < searched; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return at < bytes.length ? longStringEnd(bytes, at) : bytes.length;
}

/** @param start a place in the string that no backslash stands before */
function longStringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start; ; ) {
    const quote = bytes.indexOf(QUOTE, at);
    if (quote < 0) return bytes.length;
    let escapes = quote;
    while (escapes > at && bytes[escapes - 1] === BACKSLASH) escapes--;
    if ((quote - escapes) % 2 === 0) return quote;
    at = quote + 1;
  }
}
