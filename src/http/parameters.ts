import type { PARAMETERS } from "../api/parameters.js";
import { parseTime } from "../codec/parse.js";
import { type Micros, secondsToMicros } from "../domain/time.js";
import { quote } from "../errors.js";
import type { Term } from "../filter/term.js";
import { termsOf } from "../service/search/filters.js";
import { invalid } from "../service/validation.js";
import type { TimeRange } from "../storage/storage.js";

/** The names of the route table that stand in query strings. */
type QueryName = {
  [Name in keyof typeof PARAMETERS]: (typeof PARAMETERS)[Name] extends { readonly in: "query" } ? Name : never;
}[keyof typeof PARAMETERS];

/** A parameter of the query string; `null` when it is missing. */
export function parameterIn(query: URLSearchParams, name: QueryName): string | null {
  return query.get(name);
}

/** @throws ActivityError `INVALID_INPUT` */
export function parseRange(query: URLSearchParams): TimeRange {
  const start = parameterIn(query, "start");
  const end = parameterIn(query, "end");
  return {
    ...(start === null ? {} : { start: parseTime(start, "query parameter start") }),
    ...(end === null ? {} : { end: parseTime(end, "query parameter end") }),
  };
}

/**
 * Reads `limit` (docs/compatibility.md#reading).
 *
 * @returns the most events to answer; `undefined` = all, which absent and negative ones mean
 * @throws ActivityError `INVALID_INPUT`
 */
export function parseLimit(query: URLSearchParams): number | undefined {
  const text = parameterIn(query, "limit");
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw invalid(`query parameter limit is ${quote(text)}; an integer is expected`);
  return text.startsWith("-") && Number(text) !== 0 ? undefined : Number(text);
}

/**
 * Reads `filter`, which may come several times (docs/search.md#filters).
 *
 * @throws ActivityError `INVALID_INPUT` with the place of the mistake
 */
export function parseFilter(query: URLSearchParams): readonly Term[] {
  return termsOf(query.getAll("filter"));
}

/** Reads `offset`. @throws ActivityError `INVALID_INPUT` */
export function parseOffset(query: URLSearchParams): number {
  const text = parameterIn(query, "offset");
  if (text === null) return 0;
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw invalid(`query parameter offset is ${quote(text)}; an integer of 0 or more is expected`);
}

/**
 * Reads a switch such as `permanent`.
 *
 * @throws ActivityError `INVALID_INPUT`
 */
export function parseSwitch(query: URLSearchParams, name: QueryName): boolean {
  const text = parameterIn(query, name) ?? "false";
  if (/^(?:true|1|false|0)$/.test(text)) return text === "true" || text === "1";
  throw invalid(`query parameter ${name} is ${quote(text)}; true or false is expected`);
}

const DEFAULT_BINS = 1000;
const MOST_BINS = 10_000;

/**
 * Reads `bins`.
 *
 * @returns an integer from 1 on
 * @throws ActivityError `INVALID_INPUT`
 */
export function parseBins(query: URLSearchParams): number {
  const text = query.get("bins");
  if (text === null) return DEFAULT_BINS;
  const bins = /^\d+$/.test(text) ? Number(text) : 0;
  if (bins >= 1 && bins <= MOST_BINS) return bins;
  throw invalid(`query parameter bins is ${quote(text)}; an integer from 1 to ${MOST_BINS} is expected`);
}

/**
 * Reads `pulsetime` (docs/api.md#heartbeats).
 *
 * @returns microseconds
 * @throws ActivityError `INVALID_INPUT`
 */
export function parsePulsetime(query: URLSearchParams): Micros {
  const text = parameterIn(query, "pulsetime");
  if (text === null) throw invalid("query parameter pulsetime is missing; seconds are expected");
  const seconds = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(seconds)) return secondsToMicros(seconds);
  throw invalid(`query parameter pulsetime is ${quote(text)}; seconds are expected`);
}
