import { WeakCache } from "../util/weak-cache.js";

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. The order of keys is not significant; `__proto__` is an ordinary key. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/**
 * Maximum nesting of arrays and objects. Serialization is recursive, so the stack limits it; real data stays below ten.
 */
export const MAX_JSON_DEPTH = 1000;

const hasOwn = Object.prototype.hasOwnProperty;

/** Whether a parsed JSON value is an object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Equality of parsed JSON values (docs/reference/compatibility.md#heartbeats): key order is ignored, list order is not,
 * `1` equals `1.0`, a boolean never equals a number, and strings are compared by code unit.
 */
export function sameJson(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b);
  if (Array.isArray(b)) return false;
  return sameObject(a as JsonObject, b as JsonObject);
}

function sameList(a: readonly JsonValue[], b: readonly JsonValue[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (!sameJson(a[index] as JsonValue, b[index] as JsonValue)) return false;
  }
  return true;
}

function sameObject(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    if (!hasOwn.call(b, key) || !sameJson(a[key] as JsonValue, b[key] as JsonValue)) return false;
  }
  return true;
}

/** JSON of objects that are serialized more often than created. */
const texts = new WeakCache<object, string>();

/** The last serialized object, unless it is large. */
let lastObject: JsonObject | undefined;
let lastText = "";
const MAX_LAST_TEXT = 4096;

/**
 * Serializes a JSON object, from the cache if possible. Remembers the last one, for rows `heartbeats/insert/1` and
 * `heartbeats/merge/1` of the bench: the data of a heartbeat go into the log and into the response.
 *
 * @param value must not change afterwards
 */
export function serializeObject(value: JsonObject): string {
  if (value === lastObject) return lastText;
  const text = texts.get(value) ?? JSON.stringify(value);
  if (text.length <= MAX_LAST_TEXT) {
    lastObject = value;
    lastText = text;
  }
  return text;
}

/**
 * Caches the JSON of an object that will be serialized again: events of a bucket share few distinct data, and
 * serializing them is most of a response's cost.
 *
 * @param value must not change afterwards
 */
export function rememberText(value: JsonObject, text: string): void {
  texts.set(value, text);
}

/**
 * Finds out why a parsed JSON value cannot be stored, without recursion.
 *
 * @returns `undefined` if it can; otherwise the reason, to follow the field's name: nesting beyond `MAX_JSON_DEPTH`, or
 * a number beyond the range of a double (`1e400` is parsed as Infinity)
 */
export function jsonDefect(value: JsonValue): string | undefined {
  if (typeof value !== "object" || value === null) return scalarDefect(value);
  let level: object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH) return `nests deeper than ${MAX_JSON_DEPTH} levels`;
    const next: object[] = [];
    for (const container of level) {
      for (const member of Object.values(container) as JsonValue[]) {
        if (typeof member === "object" && member !== null) next.push(member);
        else if (typeof member === "number" && !Number.isFinite(member)) return scalarDefect(member);
      }
    }
    level = next;
  }
  return undefined;
}

function scalarDefect(value: JsonValue): string | undefined {
  return typeof value === "number" && !Number.isFinite(value)
    ? "contains a number beyond the range of a double"
    : undefined;
}

/** Approximate characters of data: counts strings and keys on the top level, and serializes nested values. */
export function roughSize(data: JsonObject): number {
  let size = 0;
  for (const key in data) {
    const value = data[key];
    if (typeof value === "string") size += key.length + value.length;
    else size += key.length + (typeof value === "object" ? JSON.stringify(value).length : 8);
  }
  return size;
}
