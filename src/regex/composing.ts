// Patterns that find all canonically equivalent forms of what they say. docs/query.md#equivalent-characters
import { composed, MARK } from "../util/composed.js";
import { readEscape } from "./escapes.js";
import type { PatternReader } from "./reader.js";

const IS_MARK = new RegExp(`^${MARK}$`, "u");
const MARKS = new RegExp(`${MARK}+`, "uy");

/** Characters that a pattern names by one, and the marks that the pattern has behind it. */
export interface Composition {
  readonly points: readonly number[];
  readonly hasMarks: boolean;
}

/** The first mark. No character below it changes when it is composed. */
const FIRST_MARK = "\u0300";

/** Whether a character is its own composition, since no mark can be behind it: true of nearly all, and quick. */
export function isSettled({ next }: PatternReader, codePoint: number): boolean {
  return codePoint < FIRST_MARK.charCodeAt(0) && next < FIRST_MARK && next !== "\\";
}

/** Composes a character with the marks behind it, written as themselves or by number. */
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

/** @returns "" for what is no character; the reader may have moved */
function readCharacter(reader: PatternReader): string {
  if (reader.isAtEnd) return "";
  if (reader.next !== "\\") return String.fromCodePoint(reader.takeCodePoint());
  const found = readEscape(reader, false);
  return found.kind === "character" ? String.fromCodePoint(found.codePoint) : "";
}

/** Composes a member of a class with the marks behind it, if that makes one character. Others are their own members. */
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
