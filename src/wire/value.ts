import { joinBytes } from "../domain/bytes.js";
import type { EventList } from "../domain/event-list.js";
import { type JsonValue, printObject } from "../domain/json.js";
import { microsToSeconds, printTimestamp } from "../domain/time.js";
import type { Dict, EventItem, Value } from "../query/values.js";
import { kindOf } from "../query/values.js";

/** Events printed into one piece. */
const PIECE_EVENTS = 256;

/** Results that were printed before, as UTF-8; they go with the results. */
const printedBefore = new WeakMap<object, Uint8Array>();

/** Largest one that is kept, in bytes. */
const LARGEST_KEPT = 4 * 1024 * 1024;

/** Characters that are encoded at a time. */
const PIECE = 32 * 1024;

const encoder: TextEncoder = new TextEncoder();

/** Prints the results of a query in pieces: a list with one value for each period (contract query.md 1). */
export function* printResults(results: readonly Value[]): Generator<string | Uint8Array> {
  let lead = "[";
  for (const result of results) {
    yield lead;
    yield* printResult(result);
    lead = ",";
  }
  yield results.length === 0 ? "[]" : "]";
}

/** The result of one period as an answer's JSON holds it. */
export function jsonOfResult(result: Value): JsonValue {
  return JSON.parse(Array.from(printValue(result)).join("")) as JsonValue;
}

/** A result may be asked for again: it is printed once. */
function* printResult(result: Value): Generator<string | Uint8Array> {
  if (typeof result !== "object" || result === null) {
    yield* printValue(result);
    return;
  }
  const known = printedBefore.get(result);
  if (known !== undefined) {
    yield known;
    return;
  }
  let pieces: Uint8Array[] | undefined = [];
  let length = 0;
  for (const piece of encoded(printValue(result))) {
    length += piece.length;
    if (length > LARGEST_KEPT) pieces = undefined;
    pieces?.push(piece);
    yield piece;
  }
  if (pieces !== undefined) printedBefore.set(result, joinBytes(pieces));
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
  switch (kindOf(value)) {
    case "events":
      yield* printEvents(value as EventList);
      return;
    case "list":
      yield* printList(value as readonly Value[]);
      return;
    case "dict":
      yield* printDict(value as Dict);
      return;
    case "event": {
      const { list, index } = value as EventItem;
      yield printEventAt(list, index);
      return;
    }
    default:
      yield JSON.stringify(value);
  }
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
  for (let at = 0; at < list.length; at += PIECE_EVENTS) {
    const end = Math.min(at + PIECE_EVENTS, list.length);
    let piece = "";
    for (let index = at; index < end; index++) {
      piece += lead + printEventAt(list, index);
      lead = ",";
    }
    yield piece;
  }
  yield list.length === 0 ? "[]" : "]";
}

function printEventAt({ starts, durations, datas, ids }: EventList, index: number): string {
  const id = ids?.[index] || null;
  const time = printTimestamp(starts[index] as number);
  const duration = microsToSeconds(durations[index] as number);
  return `{"id":${id},"timestamp":"${time}","duration":${duration},"data":${printObject(datas[index] as never)}}`;
}
