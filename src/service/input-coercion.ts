import type { QueryInput } from "../api/calls.js";
import type { InputOf } from "../api/codec.js";
import { type JsonObject, type JsonValue, MAX_JSON_DEPTH } from "../domain/json.js";
import { looksLikeMillis, millisRemedy } from "../domain/millis.js";
import {
  type DurationInput,
  type DurationMicros,
  EARLIEST,
  LATEST,
  MICROS_PER_MILLI,
  MICROS_PER_SECOND,
  type Micros,
  parseTimestamp,
  secondsToMicros,
  serializeTimestamp,
  type TimeInput,
  type TimestampMicros,
} from "../domain/time.js";
import { type ActivityError, fieldUnfit, mustBe } from "../errors.js";
import { createParser, type Parser, refuseDefect } from "./validation.js";

/** An event as input of a call in process. */
export interface EventInput<Data extends object = object> {
  readonly timestamp: TimeInput;
  /** With its unit, or in microseconds like the duration of a read event. May be negative. @default 0 */
  readonly duration?: DurationInput | DurationMicros | undefined;
  /** Plain JSON values, which are copied. Members that are `undefined` are left out. @default {} */
  readonly data?: Data | undefined;
  /** Replaces that event of the bucket. Heartbeats do not have one. */
  readonly id?: number | null | undefined;
}

/**
 * A bucket as input of a call in process. The hostname `!local` means this machine; without `created` the creation time
 * is now.
 */
export type BucketInput = Omit<InputOf<"BucketCreation">, "events">;

/**
 * Selects events to read: at most `limit`, all by default, after the first `offset`, that meet all conditions of
 * `filter`, newest first unless `order` is set. Both ends are included; an event that only touches the range is part of
 * it, clipped.
 */
export type RangeInput = QueryInput<"start" | "end" | "limit" | "offset" | "filter" | "order">;

/** Parses a timestamp. @returns `undefined` for an invalid one */
export function parseTimestampInput(value: unknown): Micros | undefined {
  const micros = toMicros(value);
  return micros !== undefined && micros >= EARLIEST && micros < LATEST ? micros : undefined;
}

/** @throws ActivityError `INVALID_INPUT` */
export function toTimestamp(value: unknown, field: string): TimestampMicros {
  const timestamp = parseTimestampInput(value);
  if (timestamp !== undefined) return timestamp as TimestampMicros;
  throw mustBe(field, `${TIME}, from the years 1700 to 2249`, value, millisRemedy(value));
}

/**
 * Converts a time to microseconds since 1970-01-01 UTC. A number must be microseconds already: the result of a
 * calculation, such as `micros(event.timestamp + 500)`.
 *
 * @throws ActivityError `INVALID_INPUT` for an invalid time, and for a number of milliseconds such as `Date.now()`
 */
export function micros(time: Date | string | Micros): TimestampMicros {
  return toTimestamp(time, "the time");
}

/**
 * Serializes a time in the format of responses (docs/reference/api.md#timestamps). @throws ActivityError
 * `INVALID_INPUT`
 */
export function serializeTime(time: TimeInput): string {
  return serializeTimestamp(toTimestamp(time, "the time"));
}

/** The names of valid times and durations in messages. */
export const TIME = "a Date, a time like 2024-03-01T10:00:00Z or whole microseconds since 1970";
export const DURATION = 'a duration such as "60s", "5m" or { seconds: 60 }';

function toMicros(value: unknown): Micros | undefined {
  if (value instanceof Date) return value.getTime() * MICROS_PER_MILLI;
  if (typeof value === "string") return parseTimestamp(value);
  // Numbers are microseconds, and no event recorded today happened in early 1970.
  return typeof value === "number" && Number.isInteger(value) && !looksLikeMillis(value) ? value : undefined;
}

/**
 * Parses the duration of an event: one with its unit, or whole microseconds, as events have it. Read events can be
 * inserted again, so a number is allowed here; the types require a branded one.
 *
 * @throws ActivityError `INVALID_INPUT`
 */
export function parseEventDuration(value: unknown, field: string): Micros {
  const micros = typeof value === "number" ? value : unitToMicros(value);
  // `+ 0` turns -0 into 0.
  if (Number.isSafeInteger(micros)) return (micros as number) + 0;
  throw mustBe(field, DURATION, value);
}

/** Parses a duration with its unit. @throws ActivityError `INVALID_INPUT`, even for a plain number */
export function toDuration(value: unknown, field: string): Micros {
  const micros = parseDuration(value);
  if (micros !== undefined) return micros;
  const hint = `a duration with its unit, such as "${value}s" for seconds or { micros: ${value} }`;
  throw mustBe(field, typeof value === "number" ? hint : DURATION, value);
}

/** Parses a duration with its unit. @returns `undefined` for an invalid one */
export function parseDuration(value: unknown): Micros | undefined {
  const micros = value === 0 ? value : unitToMicros(value);
  return Number.isSafeInteger(micros) ? (micros as number) + 0 : undefined;
}

const MICROS_OF_UNIT: Readonly<Record<string, Micros>> = {
  ms: MICROS_PER_MILLI,
  s: MICROS_PER_SECOND,
  m: 60 * MICROS_PER_SECOND,
  h: 3600 * MICROS_PER_SECOND,
};
const WITH_UNIT = /^(-?\d+(?:\.\d+)?)(ms|s|m|h)$/;

/** @returns microseconds, whole unless `{ micros }` are not; `undefined` for a value without a unit, or with two */
function unitToMicros(value: unknown): Micros | undefined {
  if (typeof value === "string") {
    const [, count, unit = ""] = WITH_UNIT.exec(value) ?? [];
    return count === undefined ? undefined : Math.round(Number(count) * (MICROS_OF_UNIT[unit] ?? Number.NaN));
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { seconds, micros, ...others } = value as Readonly<Record<string, unknown>>;
  if (Object.keys(others).length > 0 || (seconds === undefined) === (micros === undefined)) return undefined;
  if (typeof seconds === "number") return secondsToMicros(seconds);
  return typeof micros === "number" ? micros : undefined;
}

/**
 * Copies a value: stored data must not change when your app changes its object later.
 *
 * @throws ActivityError `INVALID_INPUT` for a value that JSON cannot represent
 */
export function copyJson(value: unknown, field: string): JsonValue {
  return copyValue(value, field, new Set());
}

/** @param around the objects around the value, the outermost first */
function copyValue(value: unknown, field: string, around: Set<unknown>): JsonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return value;
  if (typeof value !== "object") throw notPlainJson(field, `a ${typeof value}`);
  if (around.has(value)) throw notPlainJson(field, "itself");
  if (around.size >= MAX_JSON_DEPTH) throw notPlainJson(field, `more than ${MAX_JSON_DEPTH} levels`);
  around.add(value);
  const copy = Array.isArray(value)
    ? Array.from(value, (item: unknown) => copyValue(item, field, around))
    : copyObject(value, field, around);
  around.delete(value);
  return copy;
}

function notPlainJson(field: string, found: string): ActivityError {
  return fieldUnfit(field, `must be plain JSON values, got ${found} in it`);
}

function copyObject(value: object, field: string, around: Set<unknown>): JsonObject {
  if (!isPlain(value)) {
    throw notPlainJson(field, `an object of ${value.constructor?.name ?? "a class"}`);
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // fromEntries defines its keys, so that `__proto__` is an ordinary one.
  return Object.fromEntries(members.map(([key, member]) => [key, copyValue(member, field, around)]));
}

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  // In another realm (of a worker or a test runner) it is another object, without a prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** @throws ActivityError `INVALID_INPUT` for an invalid value of a setting */
export function parseSetting(value: unknown): JsonValue {
  const copy = copyJson(value, "the setting");
  refuseDefect(copy, "the setting");
  return copy;
}

/**
 * Parses input of calls in process: times as `Date`, string or microseconds, durations with a unit or in microseconds.
 */
export const programParser: Parser = createParser({
  instant: toTimestamp,
  length: parseEventDuration,
  json: copyJson,
});
