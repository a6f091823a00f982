// Rules of a list, as edited in the page.
import { isActivityClientError } from "../../../client/errors.js";
import type { JsonValue } from "../../../domain/json.js";
import { translateMessage } from "../../texts/translate-message.js";

/** An edited rule. */
export interface Entry<Fields> {
  /** A stable key, even if the rule moves. */
  readonly key: number;
  readonly fields: Fields;
}

/** Conversion of rules for the page. */
export interface RuleForm<Fields> {
  /** The setting with the list. */
  readonly setting: string;
  fieldsOf(rule: JsonValue): Fields;
  /** @returns the rule, which the server validates */
  ruleOf(fields: Fields): JsonValue;
}

let keys = 0;

/** Creates an entry for a rule. */
export function entryOf<Fields>(fields: Fields): Entry<Fields> {
  return { key: ++keys, fields };
}

/** Moves an item; out-of-range moves change nothing. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const item = items[from];
  if (item === undefined || to < 0 || to >= items.length) return items;
  const others = items.filter((_, index) => index !== from);
  return [...others.slice(0, to), item, ...others.slice(to)];
}

/** The server's error for one rule of a list. */
export interface RuleProblem {
  readonly index: number;
  /** Place in the rule, such as `when.matches`; `""` for the whole rule. */
  readonly place: string;
  readonly text: string;
}

/** Parses an error. @returns `undefined` for errors without a rule, and for other failures */
export function problemOf(error: unknown): RuleProblem | undefined {
  if (!isActivityClientError(error)) return undefined;
  const { rule, field = "" } = error.fault?.place ?? {};
  return rule === undefined ? undefined : { index: rule - 1, place: field, text: translateMessage(error) };
}
