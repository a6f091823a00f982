import type { JsonValue } from "../domain/json.js";
import { ActivityError } from "../errors.js";
import { CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from "./json-characters.js";
import { checkDepth, EVENT_LIMITS, type JsonLimits, stringEnd, tooManyValuesError } from "./json-limits.js";

/** Bytes of elements to parse at a time. */
const BATCH = 32 * 1024;

const utf8: TextDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** If the first value is a list, the position after its bracket. */
export function findListStart(bytes: Uint8Array): number | undefined {
  // Skips a byte order mark.
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (isBlank(bytes[at])) at++;
  return bytes[at] === OPEN_LIST ? at + 1 : undefined;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

/**
 * Parses a JSON list a few elements at a time, so that other requests run in between. Accepts the same input as
 * `JSON.parse`, which parses every value: the text is only searched for brackets and strings.
 *
 * @param start result of `findListStart`
 * @throws SyntaxError for invalid JSON, TypeError for invalid UTF-8, ActivityError `TOO_LARGE` for an element of more
 * than 8 MiB, `INVALID_INPUT` for too many values or levels
 */
export function* parseListInSlices(
  bytes: Uint8Array,
  start: number,
  limits: JsonLimits,
): Generator<readonly JsonValue[]> {
  let from = start;
  let depth = 1;
  let isFirst = true;
  const element = { index: 0, from: start, values: 0 };
  let values = 1;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      checkElement(element, at);
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      checkDepth(++depth, "the body");
      element.values++;
      checkElement(element, at);
    } else if (byte === COMMA) {
      element.values++;
      if (depth !== 1) continue;
      checkElement(element, at);
      values += element.values;
      if (values > limits.values) throw tooManyValuesError("the body", limits.values);
      element.index++;
      element.from = at + 1;
      element.values = 0;
      if (at - from < BATCH) continue;
      yield parseElements(bytes, from, at);
      from = at + 1;
      isFirst = false;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (--depth > 0) continue;
      checkElement(element, at);
      if (byte === CLOSE_OBJECT || !isBlankFrom(bytes, at + 1)) break;
      if (values + element.values > limits.values) throw tooManyValuesError("the body", limits.values);
      const isEmpty = isFirst && isBlankFrom(bytes, from, at);
      if (!isEmpty) yield parseElements(bytes, from, at);
      return;
    }
  }
  throw new SyntaxError("the list is not closed, or more follows it");
}

/** The current element. */
interface Element {
  readonly index: number;
  /** Position of its first byte. */
  readonly from: number;
  readonly values: number;
}

/** @throws ActivityError `TOO_LARGE`, `INVALID_INPUT` */
function checkElement({ index, from, values }: Element, at: number): void {
  if (at - from > EVENT_LIMITS.size) {
    throw new ActivityError("TOO_LARGE", `element ${index} of the list is larger than ${EVENT_LIMITS.size} bytes`);
  }
  if (values > EVENT_LIMITS.values) throw tooManyValuesError(`element ${index} of the list`, EVENT_LIMITS.values);
}

function parseElements(bytes: Uint8Array, from: number, to: number): readonly JsonValue[] {
  if (isBlankFrom(bytes, from, to)) throw new SyntaxError("an element of the list is missing");
  return JSON.parse(`[${utf8.decode(bytes.subarray(from, to))}]`) as readonly JsonValue[];
}

function isBlankFrom(bytes: Uint8Array, from: number, to: number = bytes.length): boolean {
  for (let at = from; at < to; at++) if (!isBlank(bytes[at])) return false;
  return true;
}
