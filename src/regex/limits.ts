// What a pattern may ask for. People's rules stay far below; beyond lie only programs and bad intent.

/** Longest pattern, in UTF-16 units. */
export const PATTERN_LIMIT = 10_000;

/** How deep groups, or classes, may stand in each other. The parser and all that walk over its tree recurse. */
export const NESTING_LIMIT = 200;

/** Largest pattern once counted repetitions are written out, in characters, choices and the like. */
export const SIZE_LIMIT = 50_000;
