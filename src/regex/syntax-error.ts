import { fill } from "../util/fill.js";
import { REGEX_FAULTS, type RegexFault, type RegexFaultValues } from "./faults.js";

/** A pattern that cannot be understood, or is larger than what is allowed. The message says what is wrong and where. */
export class RegexSyntaxError extends Error {
  /** Where in the pattern, counted in UTF-16 units from 0. */
  readonly at: number;
  /** What is wrong, for who says it in other words; `at` among the values counts from 1. */
  readonly fault: { readonly name: RegexFault; readonly values: RegexFaultValues };

  constructor(name: RegexFault, values: RegexFaultValues, at: number) {
    super(`${fill(REGEX_FAULTS[name], values)}, at character ${at + 1} of the pattern`);
    this.name = "RegexSyntaxError";
    this.at = at;
    this.fault = { name, values: { ...values, at: at + 1 } };
  }
}

const LONGEST_SHOWN = 60;

/** A piece of a pattern for a message, cut to a length that people read. */
export function shown(piece: string): string {
  return piece.length <= LONGEST_SHOWN ? piece : `${piece.slice(0, LONGEST_SHOWN - 1)}…`;
}

/** The same of a name, in quotes. */
export function shownName(name: string): string {
  return JSON.stringify(shown(name));
}
