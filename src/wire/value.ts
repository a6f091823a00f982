import { joinBytes } from "../domain/bytes.js";
import type { EventList } from "../domain/event-list.js";
import { type JsonObject, printObject } from "../domain/json.js";
import { Recent } from "../domain/recent.js";
import { microsToSeconds, printTimestamp } from "../domain/time.js";
import type { Dict, Value } from "../query/values.js";
import { isDict, isEventList, isPlainList } from "../query/values.js";

/** Memory that results may take that were printed before, in bytes; one of more than a quarter is not kept. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Characters that are printed and encoded at a time. */
const PIECE = 32 * 1024;

const encoder: TextEncoder = new TextEncoder();

/** Prints results of queries. Results that were kept may be asked for again: they are printed once. */
export class ResultPrinter {
  readonly #kept: Recent<object, Uint8Array> = new Recent(KEPT_BYTES);

  /** The results in pieces, not to be changed: a list with one value for each period (contract query.md 1). */
  *print(results: readonly Value[]): Generator<string | Uint8Array> {
    let lead = "[";
    for (const result of results) {
      yield lead;
      if (typeof result === "object" && result !== null) yield* this.#printKept(result);
      else yield* printValue(result);
      lead = ",";
    }
    yield results.length === 0 ? "[]" : "]";
  }

  *#printKept(result: Value & object): Generator<Uint8Array> {
    const before = this.#kept.get(result);
    if (before !== undefined) {
      yield before;
      return;
    }
    let pieces: Uint8Array[] | undefined = [];
    let length = 0;
    for (const piece of encoded(printValue(result))) {
      length += piece.length;
      if (length > KEPT_BYTES / 4) pieces = undefined;
      pieces?.push(piece);
      yield piece;
    }
    if (pieces !== undefined) this.#kept.put(result, joinBytes(pieces), length);
  }
}

function* encoded(texts: Iterable<string>): Generator<Uint8Array> {
  let text = "";
  for (const piece of texts) {
    text += piece;
    if (text.length < PIECE) continue;
    yield encoder.encode(text);
    text = "";
  }
  if (text !== "") yield encoder.encode(text);
}

function* printValue(value: Value): Generator<string> {
  if (typeof value === "string") yield* printText(value);
  else if (typeof value !== "object" || value === null) yield JSON.stringify(value);
  else if (isDict(value)) yield* printDict(value);
  else if (isPlainList(value)) yield* printList(value);
  else if (isEventList(value)) yield* printEvents(value);
  else yield printEventAt(value.list, value.index);
}

/** A program can join texts to very long ones. */
function* printText(text: string): Generator<string> {
  if (text.length <= PIECE) {
    yield JSON.stringify(text);
    return;
  }
  let lead = '"';
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE, text.length);
    // Both halves of a pair stay together: half of one would be printed as an escape.
    if (to < text.length && isLeadingHalf(text.charCodeAt(to - 1))) to--;
    yield lead + JSON.stringify(text.slice(from, to)).slice(1, -1);
    lead = "";
    from = to;
  }
  yield '"';
}

function isLeadingHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function* printList(items: readonly Value[]): Generator<string> {
  let lead = "[";
  for (const item of items) {
    yield lead;
    yield* printValue(item);
    lead = ",";
  }
  yield items.length === 0 ? "[]" : "]";
}

function* printDict(members: Dict): Generator<string> {
  let lead = "{";
  for (const [key, value] of members) {
    yield `${lead}${JSON.stringify(key)}:`;
    yield* printValue(value);
    lead = ",";
  }
  yield members.size === 0 ? "{}" : "}";
}

function* printEvents(list: EventList): Generator<string> {
  let lead = "[";
  let piece = "";
  for (let index = 0; index < list.length; index++) {
    piece += lead + printEventAt(list, index);
    lead = ",";
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  yield piece + (list.length === 0 ? "[]" : "]");
}

function printEventAt({ starts, durations, datas, ids }: EventList, index: number): string {
  const id = ids?.[index] || null;
  const time = printTimestamp(starts[index] as number);
  const duration = microsToSeconds(durations[index] as number);
  return `{"id":${id},"timestamp":"${time}","duration":${duration},"data":${printObject(datas[index] as JsonObject)}}`;
}
