// Limits of patterns. Ordinary rules stay far below them.

/** Maximum length of a pattern, in UTF-16 units. */
export const PATTERN_LIMIT = 10_000;

/** Maximum nesting of groups, and of classes. The parser and all tree walks are recursive. */
export const NESTING_LIMIT = 200;

/** Maximum size of a pattern with all counted repetitions expanded, in characters, choices and similar parts. */
export const SIZE_LIMIT = 50_000;

/**
 * Maximum steps of one backtracking search: tenths of a second, more for long texts. Counted, not timed, so that the
 * same search always has the same result.
 */
export function maxSteps(length: number): number {
  return 20_000_000 + 1_000 * length;
}

/** Maximum numbers, of 4 bytes each, on the stack of such a search. */
export const STACK_LIMIT = 8_000_000;

/** A search that exceeded a limit. Only its own query fails. */
export class RegexLimitError extends Error {
  /** @param needed the exhausted resource */
  constructor(needed: string) {
    super(`a regular expression with backreferences, atomic groups or conditions needs ${needed} for one string`);
    this.name = "RegexLimitError";
  }
}
