import type { JsonObject, JsonValue } from "../../src/domain/json.js";

/** Texts that encodings, key schemes and JavaScript objects get wrong. All differ; some are prefixes of others. */
export const TEXTS: readonly string[] = [
  ...["", "a", "A", "a!", "a!!", "a\u0000", "a\u0000b", "a\u0001", "a ", " a", "a/b", "a%2Fb", "a\\b", "a~"],
  ...["a\u007f", "a\u00ff", "a\uffff", "!", "~", "\u0000", "\u0000\u0000", "\u0000!", "\u0001", "\ufeff", "\ufffd"],
  ...["\uffff", "\ud800", "\udc00", "\udfff", "\udc00\ud800", "x\ud83d", "\ude00x", "😀", "caf\u00e9", "cafe\u0301"],
  ...["\u212b", "\u00c5", "A\u030a", "日本語", "👩‍👩‍👧", "ß", "SS", "__proto__", "constructor", "prototype"],
  ...["hasOwnProperty", "toString", "valueOf", "length", "null", "undefined", "0", "00", "1", "-1", "1e1", "events"],
  ...["count", ".", "..", "../a", '"', '\\"', "'", "\n", "\r\n", "line one\nline two", "k".repeat(1_000)],
  ...["k".repeat(1_001), `${"k".repeat(1_000)}!`, "ü".repeat(511)],
];

/** JSON objects that lossy encodings change. */
export const DATA: readonly JsonObject[] = [
  {},
  parsed('{"__proto__": 1}'),
  parsed('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'),
  parsed('{"nested": {"__proto__": null, "toString": "x", "hasOwnProperty": false}}'),
  { "": "empty key", " ": "space", "a.b": 1, "a/b": 2, "a\u0000b": 3 },
  { "0": "integer keys", "10": 1, "9": 2, "-1": 3, "01": 4 },
  { title: "NUL \u0000 inside", lone: "\ud800", low: "x\udc00y", swapped: "\udc00\ud800", pair: "😀" },
  { "\ud800": "lone surrogate as a key", "\udfff": 1, "\u0000": 2 },
  { composed: "caf\u00e9", decomposed: "cafe\u0301" },
  { small: -1.5e-300, tiny: 5e-324, huge: 1.797_693_134_862_315_7e308, third: 1 / 3, tenth: 0.1 },
  { max: 9_007_199_254_740_991, min: -9_007_199_254_740_991, beyond: 2 ** 60, odd: 1e21, zero: 0, neg: -1 },
  { yes: true, no: false, nothing: null, one: 1, text: "true", none: "null" },
  { list: [], empty: {}, mixed: [null, true, 0, "", [], {}, [[]], [{}], { a: [] }] },
  { a: { b: { c: { d: { e: { f: [{ g: [1, [2, [3]]] }] } } } } } },
  { quotes: '"', back: "\\", slash: "/", control: "\u0001\u001f\b\f\n\r\t", separators: "\u2028\u2029", del: "\u007f" },
  { app: "a".repeat(70_000), title: "日本語 — ä\u00df".repeat(500) },
  manyKeys(500),
];

/** Any JSON value, for settings. */
export const VALUES: readonly JsonValue[] = [
  ...[null, true, false, 0, -1.5e-300, 9_007_199_254_740_991, "", "text", "\u0000", "\ud800", "null"],
  ...[[], [null], [[], {}, [1, "2", { three: 3 }]], ...DATA],
];

/** An object of few keys whose values are of any type, so that events share keys but not types. */
export function randomData(random: () => number): JsonObject {
  const data: [string, JsonValue][] = [];
  for (const key of ["app", "title", "", "__proto__", "\ud800", "0", "n"]) {
    if (random() < 0.6) data.push([key, randomValue(random, 2)]);
  }
  // Unlike an assignment this makes `__proto__` a key like any other.
  return Object.fromEntries(data);
}

function randomValue(random: () => number, depth: number): JsonValue {
  const kind = Math.floor(random() * (depth > 0 ? 9 : 7));
  if (kind < 2) return TEXTS[Math.floor(random() * 60)] as string;
  if (kind === 2) return Math.round((random() - 0.5) * 2 ** (1 + Math.floor(random() * 53)));
  if (kind === 3) return (random() - 0.5) * 10 ** Math.floor(random() * 40 - 20);
  if (kind === 4) return random() < 0.5;
  if (kind === 5) return null;
  if (kind === 6) return `text ${Math.floor(random() * 20)}`;
  const members = Array.from({ length: Math.floor(random() * 4) }, () => randomValue(random, depth - 1));
  if (kind === 7) return members;
  return Object.fromEntries(members.map((member, index) => [TEXTS[index * 7] as string, member]));
}

/** An object that nests as deeply as callers may pass. */
export function nested(depth: number): JsonObject {
  let value: JsonObject = { end: true };
  for (let level = 2; level <= depth; level++) value = { deeper: value };
  return value;
}

function parsed(text: string): JsonObject {
  return JSON.parse(text) as JsonObject;
}

function manyKeys(count: number): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, index]));
}
