import { otherCases } from "./case-folding.js";

/** The character after a position, or before it if `backwards`; -1 beyond the ends of the text. */
export function characterAt(text: string, at: number, backwards: boolean): number {
  if (!backwards) return at < text.length ? (text.codePointAt(at) as number) : -1;
  if (at === 0) return -1;
  return isInsidePair(text, at - 1) ? (text.codePointAt(at - 2) as number) : text.charCodeAt(at - 1);
}

/** Whether a position is inside a surrogate pair. */
export function isInsidePair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff && at > 0 && (text.codePointAt(at - 1) as number) > 0xffff;
}

/**
 * Compares the text at two positions, ignoring case.
 *
 * @param from offset to start at
 * @param to offset to end at; one more if that is inside a surrogate pair
 * @returns the offset up to which both are equal; -1 if they differ
 */
export function compareIgnoringCase(text: string, left: number, right: number, from: number, to: number): number {
  let at = from;
  while (at < to) {
    const point = text.codePointAt(left + at) as number;
    const other = text.codePointAt(right + at) as number;
    if (point !== other && !otherCases(point).includes(other)) return -1;
    at += point > 0xffff ? 2 : 1;
  }
  return at;
}
