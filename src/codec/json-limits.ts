import { ActivityError } from "../errors.js";
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./json-characters.js";

/** Limits of a JSON text. */
export interface JsonLimits {
  /** Number of lists, objects and their items, on all levels together. */
  readonly values: number;
}

/** Maximum nesting of any body. The data of an event may have 1,000 levels (docs/reference/limits.md). */
const MAX_LEVELS = 1024;

/**
 * Limits of one event, in bytes of a body or characters of a document, since it is parsed in one step
 * (docs/reference/limits.md).
 */
export const EVENT_LIMITS: JsonLimits & { readonly size: number } = { size: 8 * 1024 * 1024, values: 50_000 };

/** The error of a body with too many values. */
export function tooManyValuesError(what: string, values: number): ActivityError {
  return new ActivityError("INVALID_INPUT", `${what} has more than ${values} values`);
}

/** @throws ActivityError `INVALID_INPUT` above the maximum depth */
export function checkDepth(depth: number, what: string): void {
  if (depth <= MAX_LEVELS) return;
  throw new ActivityError("INVALID_INPUT", `${what} nests more than ${MAX_LEVELS} levels deep`);
}

/**
 * Checks the limits before parsing: parsing takes a hundred times as long for values as for their bytes, and even
 * longer for levels.
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
  if (found > values) throw tooManyValuesError("the body", values);
}

/** Longer strings are searched by the engine, whose call costs as much as checking this many bytes. */
const SHORT_STRING = 256;

/** Position of the closing quote of a string, or the end of the text. */
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

/** @param start a position in the string without a backslash before it */
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
