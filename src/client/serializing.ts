import { millisRemedy } from "../domain/millis.js";
import type { Instant } from "./client-types.js";
import type { ClientRequest, QueryValue } from "./transport.js";

/**
 * Path and query string of a request.
 *
 * @throws TypeError for a name that a path cannot contain, and for an invalid number
 */
export function serializePath(path: string, { params = [], query = {} }: ClientRequest): string {
  let index = 0;
  const below = path.replace(/:(\w+)/g, (_, name: string) => {
    const value: unknown = params[index++];
    // Names of only dots are resolved as folders, encoded or not, and would change the path.
    if ((typeof value !== "string" && typeof value !== "number") || /^\.{0,2}$/.test(String(value))) {
      throw new TypeError(`${name} must be a name that a path can contain, got ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(serializeValue(name, value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? (value as readonly string[]) : [value as QueryValue]) {
      search.append(name, serializeValue(name, each));
    }
  }
  return `${search}` === "" ? below : `${below}?${search}`;
}

function serializeValue(name: string, value: QueryValue): string {
  if (typeof value === "object") return serializeInstant(value);
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new TypeError(`${name} must be a number, got ${value}`);
  }
  return String(value);
}

/** @throws RangeError for an invalid `Date`; TypeError for other values */
export function serializeInstant(instant: Instant): string {
  if (typeof instant === "string") return instant;
  if (typeof instant === "object") return instant.toISOString();
  const remedy = millisRemedy(instant);
  throw new TypeError(`a time must be a Date or a string, got ${instant}${remedy && `; ${remedy}`}`);
}

/**
 * Serializes to JSON. `undefined` members of objects are left out, and `Date`s become strings.
 *
 * @throws TypeError for values that JSON cannot represent and `JSON.stringify` would omit or turn into null
 */
export function serializeJson(value: unknown): string {
  if (value === undefined) throw unserializable("", value);
  return JSON.stringify(value, checked);
}

/** Serializes later, when its error can explain why no request is possible. */
export function serializedLater(value: unknown): () => string {
  return () => serializeJson(value);
}

function checked(this: unknown, name: string, value: unknown): unknown {
  const isLost =
    typeof value === "function" ||
    typeof value === "symbol" ||
    (typeof value === "number" && !Number.isFinite(value)) ||
    (value === undefined && Array.isArray(this));
  if (isLost) throw unserializable(name, value);
  // An invalid `Date` has already become null.
  const given = value === null ? (this as Readonly<Record<string, unknown>>)[name] : null;
  if (given !== null) throw unserializable(name, given);
  return value;
}

function unserializable(name: string, value: unknown): TypeError {
  const isQuotable = typeof value !== "function" && typeof value !== "symbol";
  const shown = isQuotable ? String(value) : `a ${typeof value}`;
  return new TypeError(`${name === "" ? "the value" : `'${name}'`} is ${shown}, which JSON cannot represent`);
}
