import { EventBatch } from "../domain/batch.js";
import type { Fault } from "../domain/fault.js";
import { emptyBatch } from "../transforms/batches.js";
import type { Steps } from "../transforms/steps.js";
import type { QueryBudget } from "./budget.js";
import type { Memo } from "./memo.js";
import { QuerySyntaxError } from "./query-error.js";
import type { RuleCaches } from "./rule-functions.js";
import type { BudgetSlot } from "./slot.js";
import type { EventSource } from "./source.js";
import {
  type Dict,
  describeValue,
  isDict,
  isEventBatch,
  isListLike,
  isPlainList,
  type ListLike,
  type Value,
} from "./values.js";
import type { NoWindow, Span } from "./window.js";

/** Context that functions receive in addition to their arguments. */
export interface FunctionContext {
  readonly source: EventSource;
  readonly budget: QueryBudget;
  /** Shared by all queries of an engine. */
  readonly slot: BudgetSlot;
  /** Cache of results of earlier calls. */
  readonly memo: Memo;
  readonly rules: RuleCaches;
  readonly yieldNow: () => Promise<void> | undefined;
  /** The current window of the run. */
  readonly period: () => Span | NoWindow;
}

/** Values that each parameter type accepts. */
export interface ParameterTypes {
  readonly events: EventBatch;
  readonly text: string;
  readonly texts: readonly string[];
  readonly number: number;
  readonly list: ListLike;
  readonly container: ListLike | Dict;
  readonly any: Value;
}

export type ParameterType = keyof ParameterTypes;

/** The parameters of a function, in order. */
export interface Signature {
  readonly parameters: readonly ParameterType[];
  /** Number of optional parameters at the end. @default 0 */
  readonly optional?: number;
  /** Type of any further arguments. */
  readonly rest?: ParameterType;
}

/** A function of the language. */
export interface QueryFunction extends Signature {
  readonly name: string;
  run(args: Arguments, context: FunctionContext): Value | Promise<Value>;
}

/** Checked arguments of a call. */
export interface Arguments {
  /** Number of arguments in the call. */
  readonly count: number;
  events(index: number): EventBatch;
  text(index: number): string;
  texts(index: number): readonly string[];
  number(index: number): number;
  list(index: number): ListLike;
  container(index: number): ListLike | Dict;
  any(index: number): Value;
  /** Creates the error for an argument of the right type with an unusable value. */
  errorAt(index: number, message: string, cause?: Error & { readonly fault?: Fault }): QuerySyntaxError;
}

/** Offsets of a call and its arguments in the source. */
export interface CallPlace {
  readonly offset: number;
  readonly places: readonly number[];
}

const TYPE_NAMES: Readonly<Record<ParameterType, string>> = {
  events: "a list of events",
  text: "a string",
  texts: "a list of strings",
  number: "a number",
  list: "a list",
  container: "a list or a dict",
  any: "a value",
};

/**
 * Checks the arguments of a call, including each item of each list (docs/reference/compatibility.md#functions).
 *
 * @throws QuerySyntaxError `QueryInterpretException` for a wrong number, `QueryFunctionException` for wrong types
 */
export function readArguments(called: QueryFunction, values: readonly Value[], place: CallPlace): Arguments {
  const { name, parameters, optional = 0, rest } = called;
  const fewest = parameters.length - optional;
  if (values.length < fewest || (values.length > parameters.length && rest === undefined)) {
    const message = `${name} takes ${describeArity(called)}, got ${values.length}`;
    const fault = { name: "argumentsUnfit", values: { function: name, given: values.length } };
    throw new QuerySyntaxError("QueryInterpretException", message, place.offset, fault);
  }
  for (const [index, value] of values.entries()) {
    const type = parameters[index] ?? rest ?? "any";
    if (READERS[type](value) !== undefined) continue;
    const message = `argument ${index + 1} of ${name} must be ${TYPE_NAMES[type]}, got ${describeValue(value)}`;
    const fault = { name: `${type}Wanted`, values: { index: index + 1, function: name } };
    throw new QuerySyntaxError("QueryFunctionException", message, place.places[index] ?? place.offset, fault);
  }

  function argument<Type extends ParameterType>(type: Type, index: number): ParameterTypes[Type] {
    const value = values[index];
    const read = value === undefined ? undefined : READERS[type](value);
    if (read === undefined) throw new Error(`${name} has no argument ${index + 1} that is ${TYPE_NAMES[type]}`);
    return read;
  }

  return {
    count: values.length,
    events: (index) => argument("events", index),
    text: (index) => argument("text", index),
    texts: (index) => argument("texts", index),
    number: (index) => argument("number", index),
    list: (index) => argument("list", index),
    container: (index) => argument("container", index),
    any: (index) => argument("any", index),
    errorAt(index, message, cause) {
      const unfit: Fault = { name: "argumentUnfit", values: { index: index + 1, function: name } };
      const { reason = message, ...fault } = cause?.fault ?? unfit;
      return new QuerySyntaxError(
        "QueryFunctionException",
        `${name}: ${message}`,
        place.places[index] ?? place.offset,
        { ...fault, reason, place: { function: name, ...fault.place } },
        cause,
      );
    },
  };
}

function describeArity({ parameters, optional = 0, rest }: Signature): string {
  const most = parameters.length;
  const fewest = most - optional;
  const word = (count: number): string => `${count} argument${count === 1 ? "" : "s"}`;
  if (rest !== undefined) return `at least ${word(fewest)}`;
  return fewest === most ? word(most) : `${fewest} to ${word(most)}`;
}

/** Converts an argument to its parameter's type; `undefined` if it does not fit. */
const READERS: { readonly [Type in ParameterType]: (value: Value) => ParameterTypes[Type] | undefined } = {
  events: (value) => (isEventBatch(value) ? value : isEmpty(value) ? emptyBatch : undefined),
  text: (value) => (typeof value === "string" ? value : undefined),
  texts: (value) => (isEmpty(value) ? [] : isTexts(value) ? value : undefined),
  number: (value) => (typeof value === "number" ? value : undefined),
  list: (value) => (isListLike(value) ? value : undefined),
  container: (value) => (isListLike(value) || isDict(value) ? value : undefined),
  any: (value) => value,
};

function isEmpty(value: Value): boolean {
  return isListLike(value) && value.length === 0;
}

function isTexts(value: Value): value is readonly string[] {
  return isPlainList(value) && value.every((item) => typeof item === "string");
}

/**
 * Runs a transform to completion, pausing between its slices.
 *
 * @throws ActivityError when the budget is used up
 */
export async function runToCompletion<T>(steps: Steps<T>, { budget, slot, yieldNow }: FunctionContext): Promise<T> {
  for (;;) {
    slot.startSlice(budget);
    const step = steps.next();
    if (step.done) {
      const { value } = step;
      if (value instanceof EventBatch) {
        budget.countProduced(value.length);
        budget.checkSize({ nodes: 1, events: value.length, depth: 0 });
      }
      await yieldNow();
      return value;
    }
    budget.check();
    await yieldNow();
  }
}
