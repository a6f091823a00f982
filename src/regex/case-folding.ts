import { type CharSet, type Property, pairsOf, type Ranges, setOfPoints, sizeOf, union } from "./char-set.js";

/** Blocks of 256 characters that contain cased letters. The tests check this list against the engine. */
const CASED_BLOCKS: readonly number[] = [
  ...[0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x10, 0x13, 0x1c, 0x1d, 0x1e, 0x1f, 0x21, 0x24, 0x2c, 0x2d],
  ...[0xa6, 0xa7, 0xab, 0xfb, 0xff, 0x104, 0x105, 0x10c, 0x10d, 0x118, 0x16e, 0x1e9],
];
const BLOCK = 256;
/** Larger ranges are not expanded. */
const MAX_EXPANDED = 1024;
const LAST_ASCII = 0x7f;

/** The dotless i is not a form of i, although its uppercase letter is I. */
const DOTLESS_I = 0x131;
/** Forms of one letter without a shared uppercase letter of one character. */
const TWINS: readonly (readonly number[])[] = [
  [0x390, 0x1fd3],
  [0x3b0, 0x1fe3],
  [0xfb05, 0xfb06],
];

/** Forms of each cased letter. Computed lazily, which takes a few milliseconds. */
let families: ReadonlyMap<number, readonly number[]> | undefined;

/**
 * The other characters that are equal when case is ignored, by Unicode's simple case folding: `ß` and `ẞ`, `k` and the
 * Kelvin sign, but not `ß` and `SS`, nor `i` and `İ` (docs/reference/compatibility.md#regular-expressions).
 */
export function otherCases(codePoint: number): readonly number[] {
  if (codePoint <= LAST_ASCII) return otherAsciiCases(codePoint);
  families ??= findFamilies();
  return families.get(codePoint)?.filter((other) => other !== codePoint) ?? [];
}

/** Fast path: nearly all patterns have ASCII letters, and most have no others. */
function otherAsciiCases(codePoint: number): readonly number[] {
  const small = codePoint | 0x20;
  if (small < 0x61 || small > 0x7a) return [];
  const other = codePoint ^ 0x20;
  if (small === 0x6b) return [other, 0x212a];
  return small === 0x73 ? [other, 0x17f] : [other];
}

function findFamilies(): Map<number, readonly number[]> {
  const byFold = new Map<string, number[]>();
  for (const block of CASED_BLOCKS) {
    for (let point = block * BLOCK; point < (block + 1) * BLOCK; point++) {
      const fold = foldOf(String.fromCodePoint(point));
      const family = byFold.get(fold);
      if (point === DOTLESS_I) continue;
      if (family) family.push(point);
      else byFold.set(fold, [point]);
    }
  }
  const found = new Map<number, readonly number[]>();
  for (const family of [...byFold.values(), ...TWINS]) {
    if (family.length > 1) for (const point of family) found.set(point, family);
  }
  return found;
}

/** Lowercase of the uppercase letter, which is equal for all forms of one letter. */
function foldOf(character: string): string {
  const capital = oneCharacter(character.toUpperCase(), character);
  return oneCharacter(capital.toLowerCase(), capital);
}

/** `ß` has no uppercase letter of one character, and simple folding excludes "SS". */
function oneCharacter(text: string, otherwise: string): string {
  return text.length === otherwise.length ? text : otherwise;
}

/** Adds all other cases of a set's members. Only for ranges and properties, which all other sets consist of. */
export function foldCase(set: CharSet): CharSet {
  switch (set.kind) {
    case "property":
      return set.isClosed ? set : propertyIgnoringCase(set);
    case "ranges":
      return sizeOf(set.ranges) > MAX_EXPANDED ? asProperty(set.ranges) : addOtherCases(set, set.ranges);
    default:
      throw new Error("only ranges and properties are folded");
  }
}

const OF_ANY_CASE = new WeakMap<Property, Property>();

function propertyIgnoringCase(property: Property): Property {
  let found = OF_ANY_CASE.get(property);
  if (!found) {
    found = { ...property, ignoreCase: true };
    OF_ANY_CASE.set(property, found);
  }
  return found;
}

/** Lets the engine ignore case in ranges of thousands of characters. */
function asProperty(ranges: Ranges): Property {
  const members = pairsOf(ranges).map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`);
  return { kind: "property", source: members.join(""), isClosed: false, ignoreCase: true };
}

function addOtherCases(set: CharSet, ranges: Ranges): CharSet {
  const others: number[] = [];
  for (const [first, last] of pairsOf(ranges)) {
    for (let point = first; point <= last; point++) others.push(...otherCases(point));
  }
  return others.length === 0 ? set : union([set, setOfPoints(others)]);
}
