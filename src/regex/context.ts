import type { Assertion } from "./ast.js";
import { contains } from "./char-set.js";
import { NEWLINE, WORD } from "./properties.js";

// Properties of one side of a text position, as bits.
export const EDGE = 1;
export const WORD_CHARACTER = 2;
export const LINE_BREAK = 4;

/** Context bits of a character; -1 is the edge of the text. */
export function contextOf(codePoint: number): number {
  if (codePoint < 0) return EDGE;
  return (contains(WORD, codePoint) ? WORD_CHARACTER : 0) | (contains(NEWLINE, codePoint) ? LINE_BREAK : 0);
}

/** Whether a condition is met between a left and a right context. */
export function isAssertionMet(what: Assertion, left: number, right: number): boolean {
  switch (what) {
    case "text-start":
      return (left & EDGE) !== 0;
    case "text-end":
      return (right & EDGE) !== 0;
    case "line-start":
      return (left & (EDGE | LINE_BREAK)) !== 0;
    case "line-end":
      return (right & (EDGE | LINE_BREAK)) !== 0;
    case "word-boundary":
      return ((left ^ right) & WORD_CHARACTER) !== 0;
    case "no-word-boundary":
      return ((left ^ right) & WORD_CHARACTER) === 0;
    case "word-start":
      return (left & WORD_CHARACTER) === 0 && (right & WORD_CHARACTER) !== 0;
    case "word-end":
      return (left & WORD_CHARACTER) !== 0 && (right & WORD_CHARACTER) === 0;
    case "no-word-before":
      return (left & WORD_CHARACTER) === 0;
    case "no-word-after":
      return (right & WORD_CHARACTER) === 0;
  }
}

/** The context bits that a condition depends on. */
export function contextBits(what: Assertion): number {
  if (what === "text-start" || what === "text-end") return EDGE;
  return what === "line-start" || what === "line-end" ? EDGE | LINE_BREAK : WORD_CHARACTER;
}
