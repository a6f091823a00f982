import { type Assertion, EMPTY, type Node } from "./ast.js";
import { type CharSet, complement } from "./char-set.js";
import { ANY, DIGIT, HEX_DIGIT, propertySet, SPACE, WORD } from "./properties.js";
import type { PatternReader } from "./reader.js";
import { quoteExcerpt } from "./syntax-error.js";

/** Meaning of an escape: one character, a set, an assertion, or a reference. */
export type Escape =
  | { readonly kind: "character"; readonly codePoint: number }
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "node"; readonly node: Node }
  | { readonly kind: "reference"; readonly group: number | string };

const CONTROLS: Readonly<Record<string, number>> = { a: 7, e: 0x1b, f: 0xc, n: 0xa, r: 0xd, t: 9, v: 0xb };

const SETS: Readonly<Record<string, CharSet>> = {
  d: DIGIT,
  D: complement(DIGIT),
  h: HEX_DIGIT,
  H: complement(HEX_DIGIT),
  s: SPACE,
  S: complement(SPACE),
  w: WORD,
  W: complement(WORD),
};

/** `\K` only moves the start of a match, which is never used here. `\Z` is the very end, as in Python. */
const ASSERTIONS: Readonly<Record<string, Node>> = {
  A: { kind: "assertion", what: "text-start" },
  B: { kind: "assertion", what: "no-word-boundary" },
  G: { kind: "assertion", what: "text-start" },
  K: EMPTY,
  O: { kind: "set", set: ANY },
  Z: { kind: "assertion", what: "text-end" },
  z: { kind: "assertion", what: "text-end" },
};

const WORD_EDGES: Readonly<Record<string, Assertion>> = {
  start: "word-start",
  end: "word-end",
  "start-half": "no-word-before",
  "end-half": "no-word-after",
};

const HEX_LENGTHS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const LAST_CODE_POINT = 0x10ffff;
const LAST_OCTAL = 0o377;

/** Parses an escape; the reader is at the backslash. Classes have neither assertions nor references. */
export function readEscape(reader: PatternReader, inClass: boolean): Escape {
  const from = reader.at;
  reader.take("\\");
  if (reader.isAtEnd) return reader.fail("endsInBackslash", {}, from);
  const letter = reader.next;
  if (!/[0-9A-Za-z]/.test(letter)) return { kind: "character", codePoint: reader.takeCodePoint() };
  reader.at++;
  if (letter in HEX_LENGTHS) return { kind: "character", codePoint: readHex(reader, letter, from) };
  if (letter in CONTROLS) return { kind: "character", codePoint: CONTROLS[letter] as number };
  if (letter in SETS) return { kind: "set", set: SETS[letter] as CharSet };
  if (letter === "p" || letter === "P") return { kind: "set", set: readProperty(reader, letter, from) };
  const octal = readOctal(reader, letter, { inClass, from });
  if (octal !== undefined) return { kind: "character", codePoint: octal };
  if (inClass) {
    if (letter === "b") return { kind: "character", codePoint: 8 };
    return unknownEscape(reader, letter, from);
  }
  if (letter === "b") return { kind: "node", node: readWordBoundary(reader) };
  if (letter in ASSERTIONS) return { kind: "node", node: ASSERTIONS[letter] as Node };
  if (letter === "k") return { kind: "reference", group: readReferenceName(reader, from) };
  if (/[1-9]/.test(letter)) {
    const [digit] = reader.takeMatch(/\d?/y) as RegExpExecArray;
    return { kind: "reference", group: Number(letter + digit) };
  }
  return unknownEscape(reader, letter, from);
}

/**
 * Parses an octal escape as in Python: `\0`, `\07`, `\101`; three digits always, and in a class fewer as well. Other
 * digits are the number of a group, with one or two digits.
 *
 * @returns `undefined` without moving the reader if it is not an octal escape
 */
function readOctal(
  reader: PatternReader,
  letter: string,
  { inClass, from }: { readonly inClass: boolean; readonly from: number },
): number | undefined {
  if (!/[0-7]/.test(letter)) return undefined;
  const digits = reader.takeMatch(letter === "0" || inClass ? /[0-7]{0,2}/y : /[0-7]{2}/y)?.[0];
  if (digits === undefined) return undefined;
  const codePoint = Number.parseInt(letter + digits, 8);
  return codePoint <= LAST_OCTAL ? codePoint : reader.fail("aboveOctal", { escape: `\\${letter}${digits}` }, from);
}

function unknownEscape(reader: PatternReader, letter: string, at: number): never {
  return reader.fail("unknownEscape", { escape: `\\${letter}` }, at);
}

/** Parses `\b`, `\b{start}` and similar. Any other brace after `\b` is a count or a literal. */
function readWordBoundary(reader: PatternReader): Node {
  const [, edge = ""] = reader.takeMatch(/\{(start|end|start-half|end-half)\}/y) ?? [];
  return { kind: "assertion", what: WORD_EDGES[edge] ?? "word-boundary" };
}

function readReferenceName(reader: PatternReader, at: number): number | string {
  const match = reader.takeMatch(/<([^<>]+)>|'([^']+)'/y);
  const name = match?.[1] ?? match?.[2];
  if (name === undefined) return reader.fail("namelessReference", {}, at);
  return /^-?\d+$/.test(name) ? Number(name) : name;
}

/** Parses `\x41`, `\x{41}`, `\u00e9`, `\u{e9}`, `\U000000e9`, and the surrogate pair `\ud83d\ude00`. */
function readHex(reader: PatternReader, letter: string, from: number): number {
  const length = HEX_LENGTHS[letter] as number;
  const match = reader.takeMatch(new RegExp(`([0-9A-Fa-f]{${length}})|\\{([0-9A-Fa-f]{1,8})\\}`, "y"));
  const digits = match?.[1] ?? match?.[2];
  if (digits === undefined) return reader.fail("hexDigitsMissing", { escape: `\\${letter}`, length }, from);
  const codePoint = Number.parseInt(digits, 16);
  if (codePoint > LAST_CODE_POINT) return reader.fail("noSuchCharacter", { digits }, from);
  if (codePoint < 0xd800 || codePoint > 0xdfff) return codePoint;
  const low = codePoint < 0xdc00 ? reader.takeMatch(/\\u([Dd][C-Fc-f][0-9A-Fa-f]{2})/y)?.[1] : undefined;
  if (low === undefined) return reader.fail("halfCharacter", { escape: `\\${letter}${digits}` }, from);
  return 0x10000 + ((codePoint - 0xd800) << 10) + (Number.parseInt(low, 16) - 0xdc00);
}

/** Parses `\pL`, `\p{Greek}`, `\P{...}`, `\p{^...}`. */
function readProperty(reader: PatternReader, letter: string, from: number): CharSet {
  const match = reader.takeMatch(/\{(\^?)([^{}]*)\}|([A-Za-z])/y);
  if (!match) {
    return reader.fail("namelessProperty", { escape: `\\${letter}`, example: `\\${letter}{Greek}` }, from);
  }
  const [, not = "", braced, single] = match;
  const name = braced ?? single ?? "";
  const set = propertySet(name);
  if (!set) return reader.fail("noSuchProperty", { name: quoteExcerpt(name) }, from);
  return (letter === "P") === (not === "^") ? set : complement(set);
}
