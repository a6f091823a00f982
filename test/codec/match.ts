// Compares an answer with what a scenario expects, by the matching rules of test/conformance/rest/README.md.
// Two rules are stricter than that page, because the server promises more: a timestamp has the one form of
// docs/reference/compatibility.md#times, and two names never stand for one id
// (docs/reference/compatibility.md#event-ids).
import { isDeepStrictEqual } from "node:util";
import type { Json } from "./scenario.js";

/** How long ago "now" may be, and how far ahead of the clock of the test. */
const NOW_MILLIS = { past: 10 * 60 * 1000, future: 1000 };
const DURATION_TOLERANCE_SECONDS = 0.000001;
const TIMESTAMP_KEYS: ReadonlySet<string> = new Set(["timestamp", "created", "last_updated", "start", "end"]);
const RFC_3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|z|[+-]\d\d:\d\d)$/;
const PRINTED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.(?!000000)\d{6})?\+00:00$/;
const ID = /^<id:(\w+)>$/;
const REPEAT = /^\{repeat:(.):(\d+)\}$/su;

/** What one scenario has learned so far: the ids behind its names, and the host name of the server. */
export interface Bindings {
  readonly ids: Map<string, number>;
  hostname?: string;
}

export interface MatchOptions {
  readonly bindings: Bindings;
  readonly match: "exact" | "subset";
  /** Place (`""` = top, else the name of a member) to the only keys that the object there may have. */
  readonly exactKeys: Readonly<Record<string, readonly string[]>>;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Microseconds since 1970 of an RFC 3339 text, or `undefined`. */
export function instantOf(text: string): bigint | undefined {
  const [, date, time, fraction = "", zone = ""] = RFC_3339.exec(text) ?? [];
  const millis = Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  if (Number.isNaN(millis)) return undefined;
  return BigInt(millis) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}

/** The text that `{repeat:c:n}` stands for; any other text stands for itself. */
export function expandRepeat(text: string): string {
  const [, character, count] = REPEAT.exec(text) ?? [];
  return character === undefined ? text : character.repeat(Number(count));
}

function show(value: Json | undefined): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length <= 300 ? text : `${text.slice(0, 300)}… (${text.length} characters)`;
}

/** A value as it came, and where: `key` is the last step of `place`, `inData` tells that a key `data` lies above. */
interface Spot {
  readonly place: string;
  readonly key: string;
  readonly inData: boolean;
}

/**
 * Compares a parsed answer with the expected value, binding names on the way.
 *
 * @param actual `undefined` for an answer without a body
 * @returns one line about the first difference, or `undefined`
 */
export function differenceOf(expected: Json, actual: Json | undefined, options: MatchOptions): string | undefined {
  return compare(expected, actual, { place: "", key: "", inData: false }, options);
}

function compare(expected: Json, actual: Json | undefined, spot: Spot, options: MatchOptions): string | undefined {
  const plain = typeof expected === "string" ? expandRepeat(expected) : expected;
  const differs = (): string => `${spot.place || "body"}: expected ${show(plain)}, got ${show(actual)}`;
  if (typeof plain === "string") return compareText(plain, actual, spot, options) ? undefined : differs();
  if (typeof plain === "number") return compareNumber(plain, actual, spot) ? undefined : differs();
  if (plain === null || typeof plain === "boolean") return plain === actual ? undefined : differs();
  if (isList(plain)) {
    if (!isList(actual)) return differs();
    if (plain.length !== actual.length)
      return `${spot.place || "body"}: expected ${plain.length} elements, got ${show(actual)}`;
    return first(plain, (item, index) => compare(item, actual[index], below(spot, String(index)), options));
  }
  if (Object.hasOwn(plain, "$length") && !spot.inData) {
    return isList(actual) && actual.length === plain.$length ? undefined : differs();
  }
  return isObject(actual) ? compareObjects(plain, actual, spot, options) : differs();
}

type JsonObject = { readonly [key: string]: Json };

function compareObjects(
  expected: JsonObject,
  actual: JsonObject,
  spot: Spot,
  options: MatchOptions,
): string | undefined {
  const exact = spot.inData || options.match === "exact";
  const allowed = exact ? Object.keys(expected) : exactKeysAt(spot, options);
  const extra = allowed && Object.keys(actual).find((key) => !allowed.includes(key));
  if (extra !== undefined) return `${spot.place || "body"}: unexpected key ${show(extra)}`;
  const absent = allowed?.find((key) => !Object.hasOwn(actual, key));
  if (absent !== undefined) return `${spot.place || "body"}: missing key ${show(absent)}`;
  return first(Object.keys(expected), (key) => {
    const found = Object.hasOwn(actual, key) ? actual[key] : undefined;
    return compare(expected[key] as Json, found, below(spot, key), options);
  });
}

function exactKeysAt(spot: Spot, { exactKeys }: MatchOptions): readonly string[] | undefined {
  const place = spot.place.slice(1);
  return Object.hasOwn(exactKeys, place) ? exactKeys[place] : undefined;
}

function below(spot: Spot, key: string): Spot {
  return { place: `${spot.place}.${key}`, key, inData: spot.inData || key === "data" };
}

function compareText(expected: string, actual: Json | undefined, spot: Spot, { bindings, now }: MatchOptions): boolean {
  const [, name] = ID.exec(expected) ?? [];
  if (name !== undefined) return bindId(bindings, name, actual);
  if (expected === "<any>") return actual !== undefined;
  if (expected === "<empty>") return actual === undefined || actual === null || isDeepStrictEqual(actual, {});
  if (typeof actual !== "string") return false;
  if (expected === "<string>") return actual !== "";
  if (expected === "<hostname>") return bindHostname(bindings, actual);
  if (expected === "<now>") {
    const age = now - Number(instantOf(actual) ?? Number.NaN) / 1000;
    return PRINTED.test(actual) && age <= NOW_MILLIS.past && age >= -NOW_MILLIS.future;
  }
  const instant = TIMESTAMP_KEYS.has(spot.key) && !spot.inData ? instantOf(expected) : undefined;
  if (instant !== undefined) return PRINTED.test(actual) && instantOf(actual) === instant;
  return actual === expected;
}

function compareNumber(expected: number, actual: Json | undefined, spot: Spot): boolean {
  if (typeof actual !== "number") return false;
  if (spot.key !== "duration" || spot.inData) return actual === expected;
  return Math.abs(actual - expected) <= DURATION_TOLERANCE_SECONDS;
}

function bindId({ ids }: Bindings, name: string, actual: Json | undefined): boolean {
  if (typeof actual !== "number" || !Number.isSafeInteger(actual) || actual < 0) return false;
  const known = ids.get(name);
  if (known !== undefined) return known === actual;
  if ([...ids.values()].includes(actual)) return false;
  ids.set(name, actual);
  return true;
}

function bindHostname(bindings: Bindings, actual: string): boolean {
  bindings.hostname ??= actual;
  return actual !== "" && actual !== "!local" && actual === bindings.hostname;
}

function first<T>(items: readonly T[], look: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const difference = look(item, index);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
