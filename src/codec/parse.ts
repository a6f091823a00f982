import type { JsonValue } from "../domain/json.js";
import { wireMillisRemedy } from "../domain/millis.js";
import { type Micros, parseTimestamp, secondsToMicros } from "../domain/time.js";
import { mustBe } from "../errors.js";
import { createParser, type Parser } from "../service/validation.js";

// Converts JSON to domain types, with seconds and ISO timestamps. The `serialize-*.ts` files convert back.

/** @throws ActivityError `INVALID_INPUT` */
export function parseTime(value: unknown, field: string): Micros {
  const micros = typeof value === "string" ? parseTimestamp(value) : undefined;
  if (micros !== undefined) return micros;
  throw mustBe(field, "a time like 2024-03-01T10:00:00Z, from 1700 to 2249", value, wireMillisRemedy(value));
}

function parseSeconds(value: unknown, field: string): Micros {
  if (typeof value === "number") return secondsToMicros(value);
  throw mustBe(field, "a number of seconds", value);
}

/** Parses JSON with timestamps as strings and durations in seconds. */
export const wireParser: Parser = createParser({
  instant: parseTime,
  length: parseSeconds,
  // Values of JSON.parse need no check.
  json: (value) => value as JsonValue,
});
