/** Code points as ascending ranges: first, last, first, last, ... Ranges neither overlap nor touch. */
export type Ranges = readonly number[];

/**
 * A set of characters. Sets of ranges are computed immediately. Unicode properties are tested by the engine one
 * character at a time, since listing their ranges would take tens of milliseconds.
 */
export type CharSet =
  | { readonly kind: "ranges"; readonly ranges: Ranges }
  | Property
  | { readonly kind: "either"; readonly parts: readonly CharSet[] }
  | { readonly kind: "both"; readonly parts: readonly CharSet[] }
  | { readonly kind: "one-of-two"; readonly left: CharSet; readonly right: CharSet }
  | { readonly kind: "not"; readonly of: CharSet };

/** Characters with a Unicode property. */
export interface Property {
  readonly kind: "property";
  /** Content of a JavaScript character class, such as `\p{Lu}`. */
  readonly source: string;
  /** Whether the set contains all other cases of its characters. */
  readonly isClosed: boolean;
  /** Whether other cases of its characters match as well. */
  readonly ignoreCase: boolean;
}

const LAST_CODE_POINT = 0x10ffff;
const ASCII_SIZE = 128;

/** Sorts and joins ranges. */
export function createSet(pairs: readonly (readonly [first: number, last: number])[]): CharSet {
  return { kind: "ranges", ranges: rangesOf(pairs) };
}

function rangesOf(pairs: readonly (readonly [first: number, last: number])[]): Ranges {
  const sorted = [...pairs].sort((a, b) => a[0] - b[0]);
  const ranges: number[] = [];
  for (const [first, last] of sorted) {
    const end = ranges.at(-1);
    if (end === undefined || first > end + 1) ranges.push(first, last);
    else if (last > end) ranges[ranges.length - 1] = last;
  }
  return ranges;
}

export function setOfPoints(codePoints: readonly number[]): CharSet {
  const [only] = codePoints;
  if (only !== undefined && codePoints.length === 1) return { kind: "ranges", ranges: [only, only] };
  return createSet(codePoints.map((point) => [point, point]));
}

export function pairsOf(ranges: Ranges): [first: number, last: number][] {
  const pairs: [number, number][] = [];
  for (let index = 0; index < ranges.length; index += 2) {
    pairs.push([ranges[index] as number, ranges[index + 1] as number]);
  }
  return pairs;
}

/** Number of characters in the ranges. */
export function sizeOf(ranges: Ranges): number {
  return pairsOf(ranges).reduce((size, [first, last]) => size + last - first + 1, 0);
}

export function union(sets: readonly CharSet[]): CharSet {
  if (sets.length === 1) return sets[0] as CharSet;
  const pairs: [number, number][] = [];
  const others: CharSet[] = [];
  for (const set of sets) {
    if (set.kind === "ranges") pairs.push(...pairsOf(set.ranges));
    else others.push(set);
  }
  if (others.length === 0) return createSet(pairs);
  const parts = pairs.length > 0 ? [createSet(pairs), ...others] : others;
  return parts.length === 1 ? (parts[0] as CharSet) : { kind: "either", parts };
}

export function complement(set: CharSet): CharSet {
  if (set.kind === "not") return set.of;
  if (set.kind !== "ranges") return { kind: "not", of: set };
  const ranges: number[] = [];
  let from = 0;
  for (const [first, last] of pairsOf(set.ranges)) {
    if (first > from) ranges.push(from, first - 1);
    from = last + 1;
  }
  if (from <= LAST_CODE_POINT) ranges.push(from, LAST_CODE_POINT);
  return { kind: "ranges", ranges };
}

export function intersection(left: CharSet, right: CharSet): CharSet {
  if (left.kind !== "ranges" || right.kind !== "ranges") return { kind: "both", parts: [left, right] };
  return { kind: "ranges", ranges: commonRanges(left.ranges, right.ranges) };
}

export function difference(left: CharSet, right: CharSet): CharSet {
  return intersection(left, complement(right));
}

export function symmetricDifference(left: CharSet, right: CharSet): CharSet {
  if (left.kind !== "ranges" || right.kind !== "ranges") return { kind: "one-of-two", left, right };
  return difference(union([left, right]), intersection(left, right));
}

function commonRanges(left: Ranges, right: Ranges): Ranges {
  const common: number[] = [];
  for (let l = 0, r = 0; l < left.length && r < right.length; ) {
    const first = Math.max(left[l] as number, right[r] as number);
    const last = Math.min(left[l + 1] as number, right[r + 1] as number);
    if (first <= last) common.push(first, last);
    if ((left[l + 1] as number) < (right[r + 1] as number)) l += 2;
    else r += 2;
  }
  return common;
}

/** Whether the set contains the character. */
export function has(set: CharSet, codePoint: number): boolean {
  switch (set.kind) {
    case "ranges":
      return inRanges(set.ranges, codePoint);
    case "property":
      return propertyTest(set).test(String.fromCodePoint(codePoint));
    case "either":
      return set.parts.some((part) => has(part, codePoint));
    case "both":
      return set.parts.every((part) => has(part, codePoint));
    case "one-of-two":
      return has(set.left, codePoint) !== has(set.right, codePoint);
    case "not":
      return !has(set.of, codePoint);
  }
}

/** Like `has`, but faster for sets that are tested repeatedly. */
export function contains(set: CharSet, codePoint: number): boolean {
  return codePoint < ASCII_SIZE ? asciiTable(set)[codePoint] === 1 : has(set, codePoint);
}

function inRanges(ranges: Ranges, codePoint: number): boolean {
  let low = 0;
  let high = ranges.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[2 * middle + 1] as number) < codePoint) low = middle + 1;
    else high = middle;
  }
  return 2 * low < ranges.length && (ranges[2 * low] as number) <= codePoint;
}

const PROPERTY_TESTS = new WeakMap<Property, RegExp>();

function propertyTest(property: Property): RegExp {
  let test = PROPERTY_TESTS.get(property);
  if (test === undefined) {
    test = new RegExp(`^[${property.source}]$`, property.ignoreCase ? "iu" : "u");
    PROPERTY_TESTS.set(property, test);
  }
  return test;
}

const ASCII_TABLES = new WeakMap<CharSet, Uint8Array>();

/** 1 for each of the first 128 characters in the set. */
export function asciiTable(set: CharSet): Uint8Array {
  let table = ASCII_TABLES.get(set);
  if (table === undefined) {
    table = Uint8Array.from({ length: ASCII_SIZE }, (_, codePoint) => (has(set, codePoint) ? 1 : 0));
    ASCII_TABLES.set(set, table);
  }
  return table;
}

/** The ASCII characters of the set. */
export function asciiPart(set: CharSet): Ranges {
  const table = asciiTable(set);
  return rangesOf([...table.keys()].filter((codePoint) => table[codePoint] === 1).map((point) => [point, point]));
}

/** Whether the sets are certainly disjoint; `false` if that is unknown. */
export function areDisjoint(left: CharSet, right: CharSet): boolean {
  if (left.kind === "ranges" && right.kind === "ranges") return commonRanges(left.ranges, right.ranges).length === 0;
  if (left.kind === "not" && left.of === right) return true;
  if (right.kind === "not" && right.of === left) return true;
  if (left.kind === "ranges") return isOutside(left.ranges, right);
  return right.kind === "ranges" && isOutside(right.ranges, left);
}

/** Larger ranges are not tested one character at a time, since that costs more than it saves. */
const MAX_TESTED = 64;

function isOutside(ranges: Ranges, set: CharSet): boolean {
  if (sizeOf(ranges) > MAX_TESTED) return false;
  return pairsOf(ranges).every(([first, last]) => {
    for (let point = first; point <= last; point++) if (has(set, point)) return false;
    return true;
  });
}
