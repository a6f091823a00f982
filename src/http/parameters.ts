import { type Micros, secondsToMicros } from "../domain/time.js";
import { mustBe } from "../errors.js";

/**
 * Reads a switch such as `permanent`.
 *
 * @throws ActivityError `INVALID_INPUT`
 */
export function parseSwitch(query: URLSearchParams, name: string): boolean {
  const text = query.get(name) ?? "false";
  if (/^(?:true|1|false|0)$/.test(text)) return text === "true" || text === "1";
  throw mustBe(name, "true or false", text);
}

/**
 * Reads `pulsetime` (docs/reference/api.md#heartbeats).
 *
 * @returns microseconds
 * @throws ActivityError `INVALID_INPUT`
 */
export function parsePulsetime(query: URLSearchParams): Micros {
  const text = query.get("pulsetime") ?? undefined;
  const seconds = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text ?? "") ? Number(text) : Number.NaN;
  if (Number.isFinite(seconds)) return secondsToMicros(seconds);
  throw mustBe("pulsetime", "a number of seconds", text);
}
