import { type CharSet, complement, createSet, setOfPoints } from "./char-set.js";

/** `\d`: digits of all scripts. */
export const DIGIT: CharSet = { kind: "property", source: "\\p{Nd}", isClosed: true, ignoreCase: false };

/** `\w` as Rust and UTS 18 define it (docs/reference/compatibility.md#regular-expressions). */
export const WORD: CharSet = {
  kind: "property",
  source: "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\u200c\\u200d",
  isClosed: true,
  ignoreCase: false,
};

/** `\s`: Unicode white space. The list is fixed. */
export const SPACE: CharSet = createSet([
  [0x9, 0xd],
  [0x20, 0x20],
  [0x85, 0x85],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
]);

export const HEX_DIGIT: CharSet = asciiSet("09AFaf");
export const NEWLINE: CharSet = setOfPoints([0xa]);
export const NOT_NEWLINE: CharSet = complement(NEWLINE);
export const ANY: CharSet = complement(createSet([]));

/** POSIX classes such as `[[:alpha:]]`. ASCII only, as in Rust. */
const POSIX: Readonly<Record<string, CharSet>> = {
  alnum: asciiSet("09AZaz"),
  alpha: asciiSet("AZaz"),
  ascii: createSet([[0, 0x7f]]),
  blank: asciiSet("\t\t  "),
  cntrl: asciiSet("\0\x1f\x7f\x7f"),
  digit: asciiSet("09"),
  graph: asciiSet("!~"),
  lower: asciiSet("az"),
  print: asciiSet(" ~"),
  punct: asciiSet("!/:@[`{~"),
  space: asciiSet("\t\r  "),
  upper: asciiSet("AZ"),
  word: asciiSet("09AZaz__"),
  xdigit: HEX_DIGIT,
};

/** @param ends first and last characters of the ranges */
function asciiSet(ends: string): CharSet {
  const pairs: [number, number][] = [];
  for (let index = 0; index < ends.length; index += 2) pairs.push([ends.charCodeAt(index), ends.charCodeAt(index + 1)]);
  return createSet(pairs);
}

export function posixSet(name: string): CharSet | undefined {
  return Object.hasOwn(POSIX, name) ? POSIX[name] : undefined;
}

const NAME = /^(?:([\w -]+?)\s*(!=|[=:]))?\s*([\w -]+)$/;

const KEYS: ReadonlyMap<string, string> = new Map([
  ["gc", "General_Category"],
  ["generalcategory", "General_Category"],
  ["sc", "Script"],
  ["script", "Script"],
  ["scx", "Script_Extensions"],
  ["scriptextensions", "Script_Extensions"],
]);

/** Cache by name as spelled in patterns. Bounded, since spellings are unlimited. */
const SETS_BY_NAME = new Map<string, CharSet>();
const MAX_NAMES = 500;

/**
 * Resolves the name in `\p{...}`: a general category, a script (with or without `Script=`), or a binary property. As in
 * Rust, case, spaces, hyphens and underscores between words are ignored, but words must be separated.
 *
 * @returns `undefined` if neither this dialect nor the engine knows the name
 */
export function propertySet(name: string): CharSet | undefined {
  const known = SETS_BY_NAME.get(name);
  if (known) return known;
  const set = findProperty(name);
  if (SETS_BY_NAME.size >= MAX_NAMES) SETS_BY_NAME.clear();
  if (set) SETS_BY_NAME.set(name, set);
  return set;
}

function findProperty(name: string): CharSet | undefined {
  const [, key, sign, value] = NAME.exec(name) ?? [];
  if (value === undefined) return undefined;
  const set = key === undefined ? unkeyedProperty(value) : keyedProperty(key, value);
  return set && sign === "!=" ? complement(set) : set;
}

function unkeyedProperty(name: string): CharSet | undefined {
  for (const spelling of spellingsOf(name)) {
    const set = engineProperty(spelling) ?? engineProperty(`Script=${spelling}`);
    if (set) return set;
  }
  return /^is/i.test(name) ? unkeyedProperty(name.slice(2)) : undefined;
}

function keyedProperty(key: string, value: string): CharSet | undefined {
  const known = KEYS.get(key.toLowerCase().replace(/[\s_-]/g, ""));
  if (known === undefined) return undefined;
  for (const spelling of spellingsOf(value)) {
    const set = engineProperty(`${known}=${spelling}`);
    if (set) return set;
  }
  return undefined;
}

/** Spellings to try, since JavaScript accepts only the exact one: `Lu`, `Old_Italic`, `ASCII`, `ID_Start`, `space`. */
function spellingsOf(name: string): string[] {
  const words = name.trim().split(/[\s_-]+/);
  const title = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase());
  const [first = "", ...rest] = title;
  return [
    words.join("_"),
    title.join("_"),
    [first.toUpperCase(), ...rest].join("_"),
    words.join("_").toUpperCase(),
    words.join("_").toLowerCase(),
  ];
}

/** Known properties. The engine has a few hundred. */
const PROPERTIES = new Map<string, CharSet>();

function engineProperty(expression: string): CharSet | undefined {
  const source = `\\p{${expression}}`;
  const known = PROPERTIES.get(source);
  if (known) return known;
  try {
    new RegExp(source, "u");
  } catch {
    return undefined; // An expression of this form can only fail because the name is unknown.
  }
  const property: CharSet = { kind: "property", source, isClosed: false, ignoreCase: false };
  PROPERTIES.set(source, property);
  return property;
}
