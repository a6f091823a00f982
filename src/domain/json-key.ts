import type { JsonObject, JsonValue } from "./json.js";

/**
 * A string key for a JSON value: two keys are equal exactly if the values are equal as JSON (`sameJson`). No key is a
 * prefix of another, so that keys can be concatenated without separators.
 *
 *     "ab" -> "2:ab    1 -> #1;    true -> t    null -> n    [1,null] -> [#1;n]    {"k":1} -> {1:k#1;}
 */
export function jsonKey(value: JsonValue): string {
  if (typeof value === "string") return `"${value.length}:${value}`;
  // `+ 0` normalizes -0 to 0.
  if (typeof value === "number") return `#${value + 0};`;
  if (typeof value === "boolean") return value ? "t" : "f";
  if (value === null) return "n";
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(jsonKey).join("")}]`;
  return `{${membersKey(value as JsonObject)}}`;
}

function membersKey(value: JsonObject): string {
  let text = "";
  for (const key of Object.keys(value).sort()) text += `${key.length}:${key}${jsonKey(value[key] as JsonValue)}`;
  return text;
}
