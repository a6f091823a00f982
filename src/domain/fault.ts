/** Position of an error. Numbers start at 1. */
export interface FaultPlace {
  /** Line in a program, like `column`, which is in UTF-16 units. */
  readonly line?: number;
  readonly column?: number;
  /** Function of the program with the invalid argument. */
  readonly function?: string;
  /** Position of the rule in its list. */
  readonly rule?: number;
  /** Field of a body or a rule, such as `when.matches`; absent for the whole rule. */
  readonly field?: string;
}

/** Structured form of an error, with the values in its message. */
export interface Fault {
  /** Unique among the errors with the same code. */
  readonly name: string;
  readonly values: Readonly<Record<string, string | number>>;
  readonly place?: FaultPlace;
  /** The message without the position. @default the message */
  readonly reason?: string;
}
