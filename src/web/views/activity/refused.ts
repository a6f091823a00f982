// Rules and patterns that the server refuses, as other clients can store them: one of them must not hide all time.
import { type Signal, signal } from "@preact/signals";
import { isActivityClientError } from "../../../client/errors.js";
import { type Category, isActive } from "../../categories.js";
import type { Classifying } from "../../programs.js";
import { ruleError } from "../categories/rule-error.js";
import { readProgramError } from "../query/program-error.js";

/** What programs are to be told, as it is stored. */
export interface Wished {
  readonly categories: readonly Category[];
  /** Always active windows; "" for none. */
  readonly pattern: string;
}

/** Something that was left out. */
export interface Refused {
  readonly key: string;
  /** The category of the rule; `undefined` for the pattern of what is always active. */
  readonly category: readonly string[] | undefined;
  /** The words of the server. */
  readonly reason: string;
}

/** What programs are told, and what of the settings is not in it. */
export interface Told {
  readonly classifying: Classifying;
  /** Those whose rules are told, in the same order. */
  readonly categories: readonly Category[];
  readonly refused: readonly Refused[];
}

/** What the server has refused since the page was opened, by what it is: what is mended is something else. */
const known: Signal<ReadonlyMap<string, Refused>> = signal(new Map());

/** Leaves out what the server is known to refuse. */
export function acceptedOf({ categories, pattern }: Wished): Told {
  const active = categories.filter(({ rule }) => isActive(rule));
  const accepted = active.filter((category) => !known.value.has(keyOfRule(category)));
  const isPatternRefused = known.value.has(keyOfPattern(pattern));
  const keys = [...new Set([...active.map(keyOfRule), keyOfPattern(pattern)])];
  return {
    categories: accepted,
    classifying: {
      rules: accepted.map(({ name, rule }) => [name, rule] as const),
      alwaysActivePattern: isPatternRefused ? "" : pattern,
    },
    refused: keys.flatMap((key) => known.value.get(key) ?? []),
  };
}

/** Whether a program failed for something that it was told; if so, that is left out from now on. */
export function isRefusal(error: unknown, program: string, { categories, classifying }: Told): boolean {
  const refused = refusedRule(error, categories) ?? refusedPattern(error, program, classifying);
  if (refused === undefined) return false;
  known.value = new Map([...known.value, [refused.key, refused]]);
  return true;
}

function refusedRule(error: unknown, categories: readonly Category[]): Refused | undefined {
  const fault = ruleError(error, categories);
  // The very same name, as several categories can have equal ones.
  const category = fault && categories.find(({ name }) => name === fault.category);
  return category && { key: keyOfRule(category), category: category.name, reason: fault.message };
}

function refusedPattern(error: unknown, program: string, { alwaysActivePattern = "" }: Classifying) {
  if (!isActivityClientError(error) || error.code !== "REFUSED" || error.status !== 400) return undefined;
  const { reason, place } = readProgramError(error.serverMessage ?? "");
  const [, told] = /^filter_keyvals_regex: ([\s\S]*)/.exec(reason) ?? [];
  const line = program.split("\n")[(place?.line ?? 0) - 1] ?? "";
  // Only there: the patterns for browsers are our own.
  if (told === undefined || alwaysActivePattern === "" || !line.startsWith("not_afk = period_union(")) return undefined;
  return { key: keyOfPattern(alwaysActivePattern), category: undefined, reason: told };
}

function keyOfRule({ name, rule }: Category): string {
  return JSON.stringify(["rule", name, rule]);
}

function keyOfPattern(pattern: string): string {
  return JSON.stringify(["pattern", pattern]);
}
