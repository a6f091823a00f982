/** A pattern that cannot be understood, or is larger than what is allowed. The message says what is wrong and where. */
export class RegexSyntaxError extends Error {
  /** Where in the pattern, counted in UTF-16 units from 0. */
  readonly at: number;

  constructor(message: string, at: number) {
    super(`${message}, at character ${at + 1} of the pattern`);
    this.name = "RegexSyntaxError";
    this.at = at;
  }
}

const LONGEST_SHOWN = 60;

/** A piece of a pattern for a message, cut to a length that people read. */
export function shown(piece: string): string {
  return piece.length <= LONGEST_SHOWN ? piece : `${piece.slice(0, LONGEST_SHOWN - 1)}…`;
}
