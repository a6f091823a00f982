// What a pattern may ask for. People's rules stay far below; beyond lie only programs and bad intent.

/** Longest pattern, in UTF-16 units. */
export const PATTERN_LIMIT = 10_000;

/** How deep groups, or classes, may stand in each other. The parser and all that walk over its tree recurse. */
export const NESTING_LIMIT = 200;

/** Largest pattern once counted repetitions are written out, in characters, choices and the like. */
export const SIZE_LIMIT = 50_000;

/**
 * Most steps of one search by trying one way after the other: some tenths of a second, more for long texts. Counted,
 * not timed, so that the same search always ends in the same way.
 */
export function mostSteps(length: number): number {
  return 20_000_000 + 1_000 * length;
}

/** Most numbers, 4 bytes each, that such a search may remember. */
export const STACK_LIMIT = 8_000_000;

/** A search that needs more than it may have. It ends only its own query. */
export class RegexLimitError extends Error {
  /** @param needed what there is not enough of */
  constructor(needed: string) {
    super(`a regular expression with references, atomic groups or conditions needs ${needed} for one text`);
    this.name = "RegexLimitError";
  }
}
