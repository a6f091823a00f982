// Patterns that match all canonically equivalent forms. docs/reference/regex.md#equivalent-characters
import { composed, MARK } from "../util/composed.js";
import { readEscape } from "./escapes.js";
import type { PatternReader } from "./reader.js";

const IS_MARK = new RegExp(`^${MARK}$`, "u");
const MARKS = new RegExp(`${MARK}+`, "uy");

/** Composed characters of a pattern, and whether combining marks followed. */
export interface Composition {
  readonly points: readonly number[];
  readonly hasMarks: boolean;
}

/** The first combining mark. Characters below it never compose differently. */
const FIRST_MARK = "\u0300";

/** Fast check whether a character is its own composition, since no mark can follow. True for nearly all. */
export function isComposed({ next }: PatternReader, codePoint: number): boolean {
  return codePoint < FIRST_MARK.charCodeAt(0) && next < FIRST_MARK && next !== "\\";
}

/** Composes a character with the marks after it, both literal and escaped by number. */
export function composeAhead(reader: PatternReader, codePoint: number): Composition {
  let text = String.fromCodePoint(codePoint);
  const { length } = text;
  for (;;) {
    const from = reader.at;
    const next = readCharacter(reader);
    if (!IS_MARK.test(next)) {
      reader.at = from;
      return { points: pointsOf(composed(text)), hasMarks: text.length > length };
    }
    text += next;
  }
}

/** @returns "" if no character follows; the reader may have moved */
function readCharacter(reader: PatternReader): string {
  if (reader.isAtEnd) return "";
  if (reader.next !== "\\") return String.fromCodePoint(reader.takeCodePoint());
  const found = readEscape(reader, false);
  return found.kind === "character" ? String.fromCodePoint(found.codePoint) : "";
}

/** Composes a class member with the marks after it, if the result is one character; otherwise keeps the member. */
export function composeMember(reader: PatternReader, codePoint: number): number {
  const from = reader.at;
  const alone = String.fromCodePoint(codePoint);
  const whole = pointsOf(composed(alone + (reader.takeMatch(MARKS)?.[0] ?? "")));
  if (whole.length === 1) return whole[0] as number;
  reader.at = from;
  const [point = codePoint, ...others] = pointsOf(composed(alone));
  return others.length === 0 ? point : codePoint;
}

function pointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) as number);
}
