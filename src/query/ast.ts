/** Operators. All have the same precedence and associate to the left (docs/reference/compatibility.md#grammar). */
export type Operator = "+" | "-" | "*" | "/" | "%" | "==";

/** A node with a position in the source: the index of its first character. */
interface Node {
  readonly offset: number;
}

/** A literal in the source. */
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
  /** In source order. If keys repeat, the last one wins. */
  readonly members: readonly (readonly [key: string, value: Expression])[];
}

/** Operands joined by operators. Flat, so that a long chain does not become a deep tree. */
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

/** `name = value`, or `return value`, which sets the variable RETURN. */
export interface Assignment extends Node {
  readonly kind: "assignment";
  readonly name: string;
  readonly value: Expression;
}

/** An expression whose value is discarded. */
export interface Bare extends Node {
  readonly kind: "bare";
  readonly value: Expression;
}

export interface If extends Node {
  readonly kind: "if";
  /** `if` and each `elif`. Only the first branch with a true condition runs. */
  readonly branches: readonly Branch[];
  readonly otherwise: readonly Statement[] | undefined;
}

export interface Branch extends Node {
  readonly condition: Expression;
  readonly body: readonly Statement[];
}

export type Statement = Assignment | Bare | If;

/** A parsed program, with its source. */
export interface Program {
  readonly text: string;
  readonly statements: readonly Statement[];
  /** IDs of the buckets that the program names in literal reads, without duplicates. */
  readonly bucketIds: readonly string[];
}

/** The function that reads a bucket. */
export const READ_BUCKET = "query_bucket";

/** The variable that contains the result. */
export const RESULT = "RETURN";
