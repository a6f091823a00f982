import { type CharSet, type Property, pairsOf, type Ranges, setOfPoints, sizeOf, union } from "./char-set.js";

/** Blocks of 256 characters that hold letters with case; the tests check that the engine knows no others. */
const CASED_BLOCKS: readonly number[] = [
  ...[0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x10, 0x13, 0x1c, 0x1d, 0x1e, 0x1f, 0x21, 0x24, 0x2c, 0x2d],
  ...[0xa6, 0xa7, 0xab, 0xfb, 0xff, 0x104, 0x105, 0x10c, 0x10d, 0x118, 0x16e, 0x1e9],
];
const BLOCK = 256;
/** Of larger ranges, not every character is looked up. */
const MOST_LOOKED_UP = 1024;
const LAST_ASCII = 0x7f;

/** The dotless i is no form of i, although its capital letter is I. */
const DOTLESS_I = 0x131;
/** Forms of one letter that have no capital letter of a single character to be known by. */
const TWINS: readonly (readonly number[])[] = [
  [0x390, 0x1fd3],
  [0x3b0, 0x1fe3],
  [0xfb05, 0xfb06],
];

/** All letters with case, each with all its forms. Found when first needed, which takes a few milliseconds. */
let families: ReadonlyMap<number, readonly number[]> | undefined;

/**
 * The other characters that are the same when case is ignored, by Unicode's simple folding: `ß` and `ẞ`, `k` and the
 * Kelvin sign, but not `ß` and `SS`, nor `i` and `İ` (docs/compatibility.md#regular-expressions).
 */
export function otherCases(codePoint: number): readonly number[] {
  if (codePoint <= LAST_ASCII) return otherCasesOfAscii(codePoint);
  families ??= findFamilies();
  return families.get(codePoint)?.filter((other) => other !== codePoint) ?? [];
}

/** Most patterns have no other letters, and nearly all have these. */
function otherCasesOfAscii(codePoint: number): readonly number[] {
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

/** The small letter of the capital letter: the same for all forms of one letter. */
function foldOf(character: string): string {
  const capital = oneCharacter(character.toUpperCase(), character);
  return oneCharacter(capital.toLowerCase(), capital);
}

/** `ß` has no capital letter of one character: "SS" is not what simple folding means. */
function oneCharacter(text: string, otherwise: string): string {
  return text.length === otherwise.length ? text : otherwise;
}

/** The set with all other cases of what it holds. For ranges and properties, of which all other sets are made. */
export function ignoringCase(set: CharSet): CharSet {
  switch (set.kind) {
    case "property":
      return set.isClosed ? set : propertyIgnoringCase(set);
    case "ranges":
      return sizeOf(set.ranges) > MOST_LOOKED_UP ? asProperty(set.ranges) : withOtherCases(set, set.ranges);
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

/** Leaves it to the engine to ignore the case in ranges of thousands of characters. */
function asProperty(ranges: Ranges): Property {
  const members = pairsOf(ranges).map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`);
  return { kind: "property", source: members.join(""), isClosed: false, ignoreCase: true };
}

function withOtherCases(set: CharSet, ranges: Ranges): CharSet {
  const others: number[] = [];
  for (const [first, last] of pairsOf(ranges)) {
    for (let point = first; point <= last; point++) others.push(...otherCases(point));
  }
  return others.length === 0 ? set : union([set, setOfPoints(others)]);
}
