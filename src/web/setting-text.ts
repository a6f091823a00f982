import type { JsonValue } from "../domain/json.js";

/**
 * A setting that is text. ActivityWatch's web UI sends texts without quotes, so one that looks like JSON is stored as
 * what it looks like: `2048` as a number.
 */
export function settingText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : typeof value === "number" || value === true ? String(value) : "";
}
