import { isJsonObject, type JsonValue } from "../../../domain/json.js";

/** Indented JSON, possibly truncated. */
export interface PrintedJson {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Serializes a value with indentation up to a maximum length, since megabytes are slow to display. */
export function printJson(value: JsonValue, mostCharacters: number): PrintedJson {
  const pieces: string[] = [];
  let length = 0;
  // Returns whether there is space for more.
  const write = (piece: string): boolean => {
    pieces.push(piece);
    length += piece.length;
    return length < mostCharacters;
  };
  const isWhole = serialize(value, "\n", write);
  return { text: pieces.join(""), isWhole };
}

function serialize(value: JsonValue, indent: string, write: (piece: string) => boolean): boolean {
  const isList = Array.isArray(value);
  if (!isList && !isJsonObject(value)) return write(JSON.stringify(value));
  const members: readonly (readonly [string, JsonValue])[] = isList
    ? (value as readonly JsonValue[]).map((item) => ["", item] as const)
    : Object.entries(value).map(([key, member]) => [`${JSON.stringify(key)}: `, member] as const);
  const [open, close] = isList ? "[]" : "{}";
  if (members.length === 0) return write(`${open}${close}`);
  const inner = `${indent}  `;
  for (const [at, [key, member]] of members.entries()) {
    if (!write(`${at === 0 ? open : ","}${inner}${key}`) || !serialize(member, inner, write)) return false;
  }
  write(`${indent}${close}`);
  return true;
}
