// Keeps results small.
import type { JsonObject, JsonValue } from "../domain/json.js";
import { ActivityError } from "../errors.js";

/** Maximum bytes of a result: structured and as text together. */
export const MAX_BYTES: number = 25_000;
const LONGEST_TEXT = 300;

/**
 * Shortens long texts, then the longest lists until the result fits. Lists are sorted by importance.
 *
 * @throws ActivityError `QUERY_TOO_LARGE` for a result that is large without lists
 */
export function fitResult(given: JsonObject, most: number = MAX_BYTES): JsonObject {
  const value = shorten(given) as Record<string, JsonValue>;
  const cut = new Map<string, number>();
  while (sizeOf(value) > most) {
    const found = findLongest(value, "");
    if (found === undefined) {
      throw new ActivityError("QUERY_TOO_LARGE", `the result must have at most ${most} bytes; return less data`);
    }
    const { place, list } = found;
    const kept = list.length >> 1;
    cut.set(place, (cut.get(place) ?? 0) + list.length - kept);
    list.length = kept;
    value["left_out"] = [...cut].map(([where, rows]) => ({ list: where, rows }));
    value["note"] = "Rows are left out. Ask for a shorter period or a smaller limit.";
  }
  return value;
}

/** The bytes of a result with a value. */
function sizeOf(value: JsonObject): number {
  const text = JSON.stringify(value);
  return encoder.encode(JSON.stringify(toResult(value, text))).length;
}

const encoder: TextEncoder = new TextEncoder();

/** The result of a tool. */
export function toResult(value: JsonObject, text: string = JSON.stringify(value)): object {
  return { structuredContent: value, content: [{ type: "text", text }] };
}

/** The largest list by its JSON. Counts of left-out rows do not count. */
function findLongest(value: JsonValue, place: string): { place: string; list: JsonValue[] } | undefined {
  let best: { place: string; list: JsonValue[] } | undefined;
  let size = 0;
  const visit = (each: JsonValue, at: string): void => {
    if (typeof each !== "object" || each === null || at === "left_out") return;
    if (Array.isArray(each)) {
      if (each.length === 1 && Array.isArray(each[0])) {
        visit(each[0], `${at}[0]`);
        return;
      }
      const bytes = JSON.stringify(each).length;
      if (bytes > size && each.length > 0) {
        best = { place: at, list: each };
        size = bytes;
      }
      return;
    }
    for (const [name, inner] of Object.entries(each)) visit(inner, at === "" ? name : `${at}.${name}`);
  };
  visit(value, place);
  return best;
}

function shorten(value: JsonValue): JsonValue {
  if (typeof value === "string") return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner)]));
}
