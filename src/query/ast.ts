/** Operators; all bind equally and group to the left (docs/compatibility.md#grammar). */
export type Operator = "+" | "-" | "*" | "/" | "%" | "==";

/** What has a place in the text: the index of its first character. */
interface Node {
  readonly offset: number;
}

/** A value as it stands in the text. */
export interface Literal extends Node {
  readonly kind: "literal";
  readonly value: number | string | boolean | null;
}

export interface Variable extends Node {
  readonly kind: "variable";
  readonly name: string;
}

export interface Call extends Node {
  readonly kind: "call";
  readonly name: string;
  readonly args: readonly Expression[];
}

export interface ListLiteral extends Node {
  readonly kind: "list";
  readonly items: readonly Expression[];
}

export interface DictLiteral extends Node {
  readonly kind: "dict";
  /** In the order of the text; of equal keys the last one counts. */
  readonly members: readonly (readonly [key: string, value: Expression])[];
}

/** Operands with operators between them, flat: a long chain is no deep tree. */
export interface Chain extends Node {
  readonly kind: "chain";
  readonly first: Expression;
  readonly rest: readonly ChainLink[];
}

export interface ChainLink extends Node {
  readonly operator: Operator;
  readonly operand: Expression;
}

export type Expression = Literal | Variable | Call | ListLiteral | DictLiteral | Chain;

/** `name = value`, and `return value`, which sets the variable RETURN. */
export interface Assignment extends Node {
  readonly kind: "assignment";
  readonly name: string;
  readonly value: Expression;
}

/** An expression whose value is dropped. */
export interface Bare extends Node {
  readonly kind: "bare";
  readonly value: Expression;
}

export interface If extends Node {
  readonly kind: "if";
  /** `if` and each `elif`: the first whose condition is true is carried out. */
  readonly branches: readonly Branch[];
  readonly otherwise: readonly Statement[] | undefined;
}

export interface Branch extends Node {
  readonly condition: Expression;
  readonly body: readonly Statement[];
}

export type Statement = Assignment | Bare | If;

/** A program as data, with the text that it was read from. */
export interface Program {
  readonly text: string;
  readonly statements: readonly Statement[];
  /** Ids of the buckets that it names to read from, each once. */
  readonly bucketIds: readonly string[];
}

/** The function that reads a bucket. */
export const READ_BUCKET = "query_bucket";

/** The variable whose last value is the result. */
export const RESULT = "RETURN";
