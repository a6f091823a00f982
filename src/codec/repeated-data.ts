import type { DataTable } from "../domain/batch.js";
import { type JsonObject, jsonDefect, serializeObject } from "../domain/json.js";
import { CLOSE_LIST, COMMA, OPEN_LIST } from "./json-characters.js";

const utf8: TextDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Places of JSON objects in bytes: the start of each, followed by its end. */
export type Places = readonly number[];

/**
 * Parses objects in one step.
 *
 * @param places of objects with as many closing as opening brackets, so that none is parsed beyond its end
 * @returns a table that has their JSON in UTF-8 if it is the stored form; `undefined` for invalid JSON, and for data
 * that cannot be stored
 */
export function parseRepeatedData(bytes: Uint8Array, places: Places): DataTable | undefined {
  try {
    const list = utf8.decode(joinParts(bytes, places));
    const values = JSON.parse(list) as JsonObject[];
    if (values.some((value) => jsonDefect(value) !== undefined)) return undefined;
    const table = {
      size: values.length,
      valueAt: (ref: number) => values[ref] as JsonObject,
      textAt: (ref: number) => serializeObject(values[ref] as JsonObject),
    };
    return JSON.stringify(values) === list ? { ...table, utf8: copyParts(bytes, places) } : table;
  } catch {
    return undefined;
  }
}

/** A JSON list of the parts. */
function joinParts(bytes: Uint8Array, places: Places): Uint8Array {
  const joined = new Uint8Array(lengthOf(places) + places.length / 2 + 1);
  let to = 0;
  for (let index = 0; index < places.length; index += 2) {
    joined[to++] = index === 0 ? OPEN_LIST : COMMA;
    to = copy(bytes, places, index, joined, to);
  }
  joined[to] = CLOSE_LIST;
  return joined;
}

/** The parts without anything in between, and where each starts. */
function copyParts(bytes: Uint8Array, places: Places): DataTable["utf8"] & object {
  const copied = new Uint8Array(lengthOf(places));
  const starts = new Float64Array(places.length / 2 + 1);
  let to = 0;
  for (let index = 0; index < places.length; index += 2) {
    to = copy(bytes, places, index, copied, to);
    starts[index / 2 + 1] = to;
  }
  return { bytes: copied, starts };
}

/** Copies one part. @returns the position after it */
function copy(bytes: Uint8Array, places: Places, index: number, target: Uint8Array, to: number): number {
  const end = places[index + 1] as number;
  let position = to;
  for (let at = places[index] as number; at < end; at++) target[position++] = bytes[at] as number;
  return position;
}

function lengthOf(places: Places): number {
  let length = 0;
  for (let index = 0; index < places.length; index += 2) {
    length += (places[index + 1] as number) - (places[index] as number);
  }
  return length;
}
