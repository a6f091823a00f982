// Finds the part of a program that the server rejected. Loaded on demand.
import { isActivityClientError } from "../../../client/errors.js";
import type { Category } from "../../categories.js";
import type { Classifying } from "../../programs.js";
import { translateMessage } from "../../texts/translate-message.js";
import { ruleError } from "../categories/rule-error.js";
import { excludePart, keyOfPattern, keyOfRule, type RejectedPart, type ValidParameters } from "./rejected.js";

/** Whether a program failed because of a rule or pattern, which is then left out. */
export function isRefusal(error: unknown, program: string, { categories, classifying }: ValidParameters): boolean {
  const refused = refusedRule(error, categories) ?? refusedPattern(error, program, classifying);
  if (refused === undefined) return false;
  excludePart(refused);
  return true;
}

function refusedRule(error: unknown, categories: readonly Category[]): RejectedPart | undefined {
  const fault = ruleError(error, categories);
  // By identity, since several categories can have equal names.
  const category = fault && categories.find(({ name }) => name === fault.category);
  return category && { key: keyOfRule(category), category: category.name, reason: fault.say };
}

function refusedPattern(error: unknown, program: string, { alwaysActivePattern = "" }: Classifying) {
  if (!isActivityClientError(error) || error.code !== "REFUSED" || error.status !== 400) return undefined;
  const { line = 0, function: called } = error.fault?.place ?? {};
  // Only in this line: the patterns for browsers are built in.
  const isOwn = program.split("\n")[line - 1]?.startsWith("not_afk = period_union(");
  if (called !== "filter_keyvals_regex" || alwaysActivePattern === "" || !isOwn) return undefined;
  return { key: keyOfPattern(alwaysActivePattern), category: undefined, reason: () => translateMessage(error) };
}
