import { foldCase } from "./case-folding.js";
import {
  type CharSet,
  complement,
  createSet,
  difference,
  intersection,
  symmetricDifference,
  union,
} from "./char-set.js";
import { composeMember } from "./composing.js";
import { readEscape } from "./escapes.js";
import { NESTING_LIMIT } from "./limits.js";
import { posixSet } from "./properties.js";
import type { PatternReader } from "./reader.js";
import { excerpt } from "./syntax-error.js";

/** Set operations in a class, all with the same precedence, from left to right: `[a-z--[aeiou]&&\w]`. */
const OPERATIONS: Readonly<Record<string, (left: CharSet, right: CharSet) => CharSet>> = {
  "&&": intersection,
  "--": difference,
  "~~": symmetricDifference,
};

/**
 * Parses a class; the reader is at its `[`. As in Rust, a leading `]` and leading hyphens are members, and classes can
 * be nested (docs/reference/compatibility.md#regular-expressions).
 */
export function readClass(reader: PatternReader, ignoreCase: boolean, depth = 1): CharSet {
  const from = reader.at;
  if (depth > NESTING_LIMIT) reader.fail("classesTooDeep", { limit: NESTING_LIMIT });
  reader.take("[");
  const isNegative = reader.take("^");
  let left: CharSet | undefined;
  let operation = "";
  let items: CharSet[] = readLeadingItems(reader);
  for (;;) {
    if (reader.isAtEnd) reader.fail("openClass", {}, from);
    const sign = [...Object.keys(OPERATIONS)].find((text) => reader.startsWith(text));
    if (sign === undefined && reader.next !== "]") {
      items.push(readItem(reader, ignoreCase, depth));
      continue;
    }
    const right = union(items);
    left = left ? (OPERATIONS[operation]?.(left, right) as CharSet) : right;
    if (sign === undefined) break;
    reader.take(sign);
    operation = sign;
    items = [];
  }
  reader.take("]");
  return isNegative ? complement(left) : left;
}

function readLeadingItems(reader: PatternReader): CharSet[] {
  const items: CharSet[] = [];
  while (reader.take("-")) items.push(createSet([[0x2d, 0x2d]]));
  if (items.length === 0 && reader.take("]")) items.push(createSet([[0x5d, 0x5d]]));
  return items;
}

function readItem(reader: PatternReader, ignoreCase: boolean, depth: number): CharSet {
  if (reader.next === "[") {
    const [, not = "", name = ""] = reader.takeMatch(/\[:(\^?)(\w+):\]/y) ?? [];
    if (name === "") return readClass(reader, ignoreCase, depth + 1);
    const set = posixSet(name);
    if (!set)
      return reader.fail("noSuchClass", { name: `[:${excerpt(name)}:]` }, reader.at - name.length - not.length - 4);
    return foldSet(not === "^" ? complement(set) : set, ignoreCase);
  }
  const from = reader.at;
  const first = readMember(reader);
  if (!isRangeAhead(reader))
    return foldSet(typeof first === "number" ? createSet([[first, first]]) : first, ignoreCase);
  reader.take("-");
  const last = readMember(reader);
  if (typeof first !== "number" || typeof last !== "number") {
    return reader.fail("rangeOfClass", {}, from);
  }
  if (first > last) return reader.fail("rangeReversed", {}, from);
  return foldSet(createSet([[first, last]]), ignoreCase);
}

function isRangeAhead(reader: PatternReader): boolean {
  return reader.next === "-" && !reader.startsWith("--") && !reader.startsWith("-]");
}

function readMember(reader: PatternReader): number | CharSet {
  if (reader.isAtEnd) return reader.fail("openClass", {});
  if (reader.next !== "\\") return composedMember(reader, reader.takeCodePoint());
  const found = readEscape(reader, true);
  if (found.kind === "character") return composedMember(reader, found.codePoint);
  if (found.kind === "set") return found.set;
  throw new Error("a class has neither places nor references");
}

function composedMember(reader: PatternReader, codePoint: number): number {
  return reader.isCanonical ? composeMember(reader, codePoint) : codePoint;
}

/** Adds other cases to a set if case is ignored. A complement is folded before it is negated. */
export function foldSet(set: CharSet, ignoreCase: boolean): CharSet {
  if (!ignoreCase) return set;
  if (set.kind === "not") return complement(foldCase(set.of));
  return foldCase(set);
}
