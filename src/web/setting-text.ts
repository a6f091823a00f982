import type { JsonValue } from "../domain/json.js";

/**
 * Reads a string setting. ActivityWatch's web UI sends strings without quotes, so that one that looks like JSON is
 * stored as JSON: `2048` as a number.
 */
export function settingText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : typeof value === "number" || value === true ? String(value) : "";
}
