// Rules of a list, as the page edits them.
import { isActivityClientError } from "../../../client/errors.js";
import type { JsonValue } from "../../../domain/json.js";
import { saidBy } from "../../texts/said-by.js";

/** A rule on the page. */
export interface Entry<Fields> {
  /** The same as long as the rule is there, wherever it moves. */
  readonly key: number;
  readonly fields: Fields;
}

/** What the page makes of rules. */
export interface RuleForm<Fields> {
  /** The setting that holds the list. */
  readonly setting: string;
  fieldsOf(rule: JsonValue): Fields;
  /** @returns the rule; whatever is wrong with it, the server says */
  ruleOf(fields: Fields): JsonValue;
}

let keys = 0;

/** A rule to add. */
export function entryOf<Fields>(fields: Fields): Entry<Fields> {
  return { key: ++keys, fields };
}

/** Puts rules in another order. Where there is nothing to change places with, it stays. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return items;
  const others = items.filter((_, index) => index !== from);
  return [...others.slice(0, to), item, ...others.slice(to)];
}

/** What the server has against one rule of a list. */
export interface RuleProblem {
  readonly index: number;
  /** Where in the rule, such as `when.matches`; `""` for the rule as a whole. */
  readonly place: string;
  readonly text: string;
}

/** Reads a refusal. @returns `undefined` for one that names no rule, and for failures of other kinds */
export function problemOf(error: unknown): RuleProblem | undefined {
  if (!isActivityClientError(error)) return undefined;
  const { rule, field = "" } = error.fault?.place ?? {};
  return rule === undefined ? undefined : { index: rule - 1, place: field, text: saidBy(error) };
}
