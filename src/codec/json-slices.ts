import type { JsonValue } from "../domain/json.js";

/** Bytes of elements that are parsed at a time. */
const BATCH = 32 * 1024;

const QUOTE = 34;
const COMMA = 44;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

const utf8: TextDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Where the first value of a text begins, if that is a list: behind its bracket. */
export function listStart(bytes: Uint8Array): number | undefined {
  // A mark of the byte order may stand in front.
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (isBlank(bytes[at])) at++;
  return bytes[at] === OPEN_LIST ? at + 1 : undefined;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

/**
 * Parses a JSON list a few elements at a time, so that others can be served in between. Accepts what `JSON.parse`
 * accepts, and every value comes from it: the text is only looked at to tell brackets from strings.
 *
 * @param start as `listStart` gives it
 * @throws SyntaxError for what is not JSON, TypeError for what is not UTF-8
 */
export function* listInSlices(bytes: Uint8Array, start: number): Generator<readonly JsonValue[]> {
  let from = start;
  let depth = 1;
  let isFirst = true;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = stringEnd(bytes, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (byte === COMMA) {
      if (depth !== 1 || at - from < BATCH) continue;
      yield elementsOf(bytes, from, at);
      from = at + 1;
      isFirst = false;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (--depth > 0) continue;
      if (byte === CLOSE_OBJECT || !isBlankFrom(bytes, at + 1)) break;
      const isEmpty = isFirst && isBlankFrom(bytes, from, at);
      if (!isEmpty) yield elementsOf(bytes, from, at);
      return;
    }
  }
  throw new SyntaxError("the list is not closed, or something stands behind it");
}

/** The place of the quote that ends a string, or the end of the text. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  return bytes.length;
}

function elementsOf(bytes: Uint8Array, from: number, to: number): readonly JsonValue[] {
  if (isBlankFrom(bytes, from, to)) throw new SyntaxError("an element of the list is missing");
  return JSON.parse(`[${utf8.decode(bytes.subarray(from, to))}]`) as readonly JsonValue[];
}

function isBlankFrom(bytes: Uint8Array, from: number, to: number = bytes.length): boolean {
  for (let at = from; at < to; at++) if (!isBlank(bytes[at])) return false;
  return true;
}
