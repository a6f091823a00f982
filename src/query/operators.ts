import { concat } from "../transforms/union.js";
import type { Operator } from "./ast.js";
import { areComparable, sameValue } from "./equality.js";
import { type FunctionContext, runToCompletion } from "./function.js";
import { QuerySyntaxError } from "./query-error.js";
import { joinStrings, recordSize } from "./size.js";
import { describeValue, isEventBatch, isListLike, itemsOf, type ListLike, type Value } from "./values.js";

/** Context of an operation, in addition to its operands. */
export interface Operation {
  /** Offset of the operator in the source. */
  readonly offset: number;
  readonly context: FunctionContext;
}

/**
 * Applies one operator (docs/reference/compatibility.md#evaluation).
 *
 * @throws QuerySyntaxError `QueryInterpretException` for unfit operands, and for division by zero
 */
export async function applyOperator(a: Value, operator: Operator, b: Value, operation: Operation): Promise<Value> {
  if (operator === "==") {
    if (!areComparable(a, b)) throw operandError(a, operator, b, operation);
    return runToCompletion(sameValue(a, b), operation.context);
  }
  if (typeof a === "number" && typeof b === "number") return calculate(a, operator, b, operation);
  if (operator !== "+") throw operandError(a, operator, b, operation);
  if (typeof a === "string" && typeof b === "string") return joinStrings(a, b, operation.context.budget);
  if (isListLike(a) && isListLike(b)) return concatenate(a, b, operation);
  throw operandError(a, operator, b, operation);
}

function calculate(a: number, operator: Operator, b: number, { offset }: Operation): number {
  if ((operator === "/" || operator === "%") && b === 0) {
    throw new QuerySyntaxError("QueryInterpretException", "division by zero", offset, "byZero");
  }
  const result =
    operator === "+" ? a + b : operator === "-" ? a - b : operator === "*" ? a * b : divide(a, operator, b);
  if (Number.isFinite(result)) return result;
  throw new QuerySyntaxError("QueryInterpretException", "the result is too large", offset, "tooLarge");
}

function divide(a: number, operator: Operator, b: number): number {
  return operator === "/" ? a / b : a % b;
}

async function concatenate(a: ListLike, b: ListLike, { context }: Operation): Promise<Value> {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  if (isEventBatch(a) && isEventBatch(b)) {
    // Checked before it is made, since all its events count.
    context.budget.checkSize({ nodes: 1, events: a.length + b.length, depth: 0 });
    return runToCompletion(concat([a, b]), context);
  }
  // Checked before it is made: each event becomes a separate node.
  context.budget.checkSize({ nodes: a.length + b.length, events: 0, depth: 0 });
  const items = [...itemsOf(a), ...itemsOf(b)];
  return recordSize(items, items, context.budget);
}

function operandError(a: Value, operator: Operator, b: Value, { offset }: Operation): QuerySyntaxError {
  const message = `'${operator}' cannot be applied to ${describeValue(a)} and ${describeValue(b)}`;
  return new QuerySyntaxError("QueryInterpretException", message, offset, "operandsUnfit");
}
