import { type Micros, secondsToMicros } from "../domain/time.js";
import { quote } from "../errors.js";
import type { TimeRange } from "../storage.js";
import { invalid } from "../validation.js";
import { parseTime } from "../wire/parse.js";

/** @throws ActivityError `INVALID_INPUT` */
export function parseRange(query: URLSearchParams): TimeRange {
  const start = query.get("start");
  const end = query.get("end");
  return {
    ...(start === null ? {} : { start: parseTime(start, "query parameter start") }),
    ...(end === null ? {} : { end: parseTime(end, "query parameter end") }),
  };
}

/**
 * Reads `limit` (contract rest.md 4.3).
 *
 * @returns the most events to answer; `undefined` = all, which absent and negative ones mean
 * @throws ActivityError `INVALID_INPUT`
 */
export function parseLimit(query: URLSearchParams): number | undefined {
  const text = query.get("limit");
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw invalid(`query parameter limit is ${quote(text)}; an integer is expected`);
  return text.startsWith("-") && Number(text) !== 0 ? undefined : Number(text);
}

/**
 * Reads `pulsetime` (contract rest.md 4.4).
 *
 * @returns microseconds
 * @throws ActivityError `INVALID_INPUT`
 */
export function parsePulsetime(query: URLSearchParams): Micros {
  const text = query.get("pulsetime");
  if (text === null) throw invalid("query parameter pulsetime is missing; seconds are expected");
  const seconds = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(seconds)) return secondsToMicros(seconds);
  throw invalid(`query parameter pulsetime is ${quote(text)}; seconds are expected`);
}
