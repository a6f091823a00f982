import type { JsonObject, JsonValue } from "./json.js";

/**
 * A text for a JSON value: equal for two values exactly when they are equal as JSON (`sameJson`). No such text begins
 * with another one, so that a row of them stands for a row of values without anything between them.
 *
 *     "ab" -> "2:ab    1 -> #1;    true -> t    null -> n    [1,null] -> [#1;n]    {"k":1} -> {1:k#1;}
 */
export function jsonKey(value: JsonValue): string {
  if (typeof value === "string") return `"${value.length}:${value}`;
  // `+ 0` makes -0 equal to 0.
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
