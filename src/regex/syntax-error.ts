import { fill } from "../util/fill.js";
import { REGEX_FAULTS, type RegexFault, type RegexFaultValues } from "./faults.js";

/** An invalid or too large pattern. The message contains the reason and the position. */
export class RegexSyntaxError extends Error {
  /** Position in the pattern, in UTF-16 units from 0. */
  readonly at: number;
  /** The mistake, for translations; `at` among the values counts from 1. */
  readonly fault: { readonly name: RegexFault; readonly values: RegexFaultValues };

  constructor(name: RegexFault, values: RegexFaultValues, at: number) {
    super(`${fill(REGEX_FAULTS[name], values)}, at character ${at + 1} of the pattern`);
    this.name = "RegexSyntaxError";
    this.at = at;
    this.fault = { name, values: { ...values, at: at + 1 } };
  }
}

const LONGEST_SHOWN = 60;

/** Cuts a piece of a pattern to a readable length for messages. */
export function excerpt(piece: string): string {
  return piece.length <= LONGEST_SHOWN ? piece : `${piece.slice(0, LONGEST_SHOWN - 1)}…`;
}

/** Cuts and quotes a name for messages. */
export function quoteExcerpt(name: string): string {
  return JSON.stringify(excerpt(name));
}
