/** Where something is wrong. Numbers count from 1. */
export interface FaultPlace {
  /** In a program, as `column`, which counts UTF-16 units. */
  readonly line?: number;
  readonly column?: number;
  /** The function of the program that was given it. */
  readonly function?: string;
  /** Which rule of a list. */
  readonly rule?: number;
  /** Which field of a body or a rule, such as `when.matches`; none is the rule as a whole. */
  readonly field?: string;
}

/** What an error is about, with the values that its message names. */
export interface Fault {
  /** Among those of an error with the same code. */
  readonly name: string;
  readonly values: Readonly<Record<string, string | number>>;
  readonly place?: FaultPlace;
  /** What the message says beside the place. @default the message */
  readonly reason?: string;
}
