import type { EventList } from "../domain/event-list.js";
import type { Micros } from "../domain/time.js";
import { emptyList, type Steps } from "../transforms/list.js";
import type { QueryBudget } from "./budget.js";
import { gathered } from "./gather.js";
import { Mistake } from "./query-error.js";
import type { BudgetSlot } from "./slot.js";
import type { EventSource } from "./source.js";
import { type Dict, described, isEventList, kindOf, type ListLike, type Value } from "./values.js";

/** What functions work with besides their arguments. */
export interface FunctionContext {
  readonly source: EventSource;
  readonly budget: QueryBudget;
  /** Shared by all queries of an engine. */
  readonly slot: BudgetSlot;
  readonly breathe: () => Promise<void> | undefined;
  /** The window of the run now; the name of a variable when that holds no time. */
  readonly period: () => { readonly start: Micros; readonly end: Micros } | string;
}

/** What a parameter accepts. */
export interface ParameterTypes {
  readonly events: EventList;
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
  /** How many of them may be missing, from the last one on. @default 0 */
  readonly optional?: number;
  /** What any number of further arguments must be. */
  readonly rest?: ParameterType;
}

/** A function of the language. */
export interface QueryFunction extends Signature {
  readonly name: string;
  run(args: Arguments, context: FunctionContext): Value | Promise<Value>;
}

/** The arguments of a call, checked. */
export interface Arguments {
  /** How many were given. */
  readonly count: number;
  events(index: number): EventList;
  text(index: number): string;
  texts(index: number): readonly string[];
  number(index: number): number;
  list(index: number): ListLike;
  container(index: number): ListLike | Dict;
  any(index: number): Value;
  /** The error of an argument that has the right type and cannot be used all the same. */
  refused(index: number, message: string, cause?: unknown): Mistake;
}

/** Where a call and its arguments stand in the text. */
export interface CallPlace {
  readonly offset: number;
  readonly places: readonly number[];
}

const WANTED: Readonly<Record<ParameterType, string>> = {
  events: "a list of events",
  text: "a text",
  texts: "a list of texts",
  number: "a number",
  list: "a list",
  container: "a list or a dict",
  any: "a value",
};

/**
 * Checks the arguments of a call, each item of each list (contract query.md 5).
 *
 * @throws Mistake `QueryInterpretException` for their number, `QueryFunctionException` for their types
 */
export function readArguments(called: QueryFunction, values: readonly Value[], place: CallPlace): Arguments {
  const { name, parameters, optional = 0, rest } = called;
  const fewest = parameters.length - optional;
  if (values.length < fewest || (values.length > parameters.length && rest === undefined)) {
    const message = `${name} takes ${numberWanted(called)}, not ${values.length}`;
    throw new Mistake("QueryInterpretException", message, place.offset);
  }
  const read = values.map((value, index) => {
    const type = parameters[index] ?? rest ?? "any";
    const found = readArgument(type, value);
    if (found !== undefined) return found;
    const message = `argument ${index + 1} of ${name} is ${described(value)}; ${WANTED[type]} is expected`;
    throw new Mistake("QueryFunctionException", message, place.places[index] ?? place.offset);
  });
  const at = <Type>(index: number): Type => read[index] as Type;
  return {
    count: values.length,
    events: at,
    text: at,
    texts: at,
    number: at,
    list: at,
    container: at,
    any: (index) => values[index] as Value,
    refused(index, message, cause) {
      const options = cause === undefined ? {} : { cause };
      return new Mistake("QueryFunctionException", `${name}: ${message}`, place.places[index] ?? place.offset, options);
    },
  };
}

function numberWanted({ parameters, optional = 0, rest }: Signature): string {
  const most = parameters.length;
  const fewest = most - optional;
  const word = (count: number): string => `${count} argument${count === 1 ? "" : "s"}`;
  if (rest !== undefined) return `at least ${word(fewest)}`;
  return fewest === most ? word(most) : `${fewest} to ${word(most)}`;
}

/** The argument in the form that its parameter has; `undefined` when it does not fit. */
function readArgument(type: ParameterType, value: Value): ParameterTypes[ParameterType] | undefined {
  const kind = kindOf(value);
  switch (type) {
    case "any":
      // None fits as well, and is told apart from what does not fit by its kind.
      return value === null ? NONE : value;
    case "events":
      return eventsIn(value);
    case "text":
      return typeof value === "string" ? value : undefined;
    case "number":
      return typeof value === "number" ? value : undefined;
    case "texts":
      return textsIn(value);
    case "list":
      return kind === "list" || kind === "events" ? (value as ListLike) : undefined;
    case "container":
      return kind === "list" || kind === "events" || kind === "dict" ? (value as ListLike | Dict) : undefined;
  }
}

const NONE: Dict = new Map();

function eventsIn(value: Value): EventList | undefined {
  if (isEventList(value)) return value;
  if (!Array.isArray(value)) return undefined;
  return value.length === 0 ? emptyList : gathered(value);
}

function textsIn(value: Value): readonly string[] | undefined {
  if (isEventList(value)) return value.length === 0 ? [] : undefined;
  const isTexts = Array.isArray(value) && value.every((item) => typeof item === "string");
  return isTexts ? (value as readonly string[]) : undefined;
}

/**
 * Runs a transform to its end, giving way to other work between its slices.
 *
 * @throws ActivityError when the budget is used up
 */
export async function finished<T>(steps: Steps<T>, { budget, slot, breathe }: FunctionContext): Promise<T> {
  for (;;) {
    slot.begin(budget);
    const step = steps.next();
    if (step.done) {
      const { value } = step;
      if (isList(value)) budget.produced(value.length);
      await breathe();
      return value;
    }
    budget.check();
    await breathe();
  }
}

function isList(value: unknown): value is EventList {
  return typeof value === "object" && value !== null && "starts" in value;
}
