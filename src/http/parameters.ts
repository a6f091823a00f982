import { type Micros, secondsToMicros } from "../domain/time.js";
import { quote } from "../errors.js";
import { invalid } from "../service/validation.js";

/**
 * Reads a switch such as `permanent`.
 *
 * @throws ActivityError `INVALID_INPUT`
 */
export function parseSwitch(query: URLSearchParams, name: string): boolean {
  const text = query.get(name) ?? "false";
  if (/^(?:true|1|false|0)$/.test(text)) return text === "true" || text === "1";
  throw invalid(`query parameter ${name} is ${quote(text)}; true or false is expected`);
}

/**
 * Reads `pulsetime` (docs/api.md#heartbeats).
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
