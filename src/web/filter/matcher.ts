// Tests loaded data against a filter. Pure.

import type { JsonObject, JsonValue } from "../../domain/json.js";
import type { Term } from "../../filter/term.js";
import { caseless, composed } from "../../util/composed.js";
import { type Category, isWithin } from "../categories.js";
import { createCategorizer } from "../categorizer.js";

/** Maximum length of text to search in the browser. */
const MOST_SEARCHED = 1000;

/**
 * Creates a test for data. Like categories in the browser it is an estimate, since the regular expressions of server
 * and browser differ. A pattern that the browser cannot parse, or that may be slow, matches everything.
 */
export function createMatcher(terms: readonly Term[], categories: readonly Category[]): (data: JsonObject) => boolean {
  const categorize = createCategorizer(categories);
  const tests = terms.map((term) => {
    const test = testOf(term, categorize);
    return (data: JsonObject): boolean => test(data) !== term.not;
  });
  return (data) => tests.every((test) => test(data));
}

function testOf(term: Term, categorize: (data: JsonObject) => readonly string[]): (data: JsonObject) => boolean {
  if (term.kind === "category") return withinTest(term.name, categorize);
  const key = term.path?.join(".");
  const textsOf = (data: JsonObject): readonly string[] =>
    key === undefined ? Object.values(data).flatMap(textIn) : textIn(fieldOf(data, key));
  if (term.kind === "equals") {
    const wanted = composed(term.value);
    return (data) => textsOf(data).some((text) => composed(text) === wanted);
  }
  if (term.kind === "contains") {
    const wanted = caseless(term.text);
    return (data) => textsOf(data).some((text) => caseless(text).includes(wanted));
  }
  const pattern = patternOf(term.pattern, term.ignoreCase);
  if (pattern === undefined) return () => !term.not;
  return (data) => textsOf(data).some((text) => pattern.test(composed(text.slice(0, MOST_SEARCHED))));
}

function withinTest(
  name: readonly string[],
  categorize: (data: JsonObject) => readonly string[],
): (data: JsonObject) => boolean {
  const wanted = name.map(composed);
  return (data) => isWithin(categorize(data).map(composed), wanted);
}

function fieldOf(data: JsonObject, key: string): JsonValue | undefined {
  if (key !== "site") return Object.hasOwn(data, key) ? data[key] : undefined;
  const { url } = data;
  return typeof url === "string"
    ? /^[a-z][a-z+.-]*:\/\/(?:www\.)?([^/:?#]+)/i.exec(url)?.[1]?.toLowerCase()
    : undefined;
}

function textIn(value: JsonValue | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "number" || typeof value === "boolean" ? [String(value)] : [];
}

/** Pattern parts that can be repeated, except escapes and sets. A set counts as one character. */
const PARTS = /\\.|\[(?:\\.|[^\]\\])*\]|[\s\S]/g;

/**
 * Maximum number of alternative paths: each optional part doubles them, and each group multiplies them by its
 * alternatives.
 */
const MAX_PATHS = 8;

/**
 * Whether a pattern has at most roughly quadratic time: one repetition, no repeated groups, few paths and no
 * backreferences. Links contain filters, and browsers cannot stop a regular expression; the server limits its own.
 */
function isQuick(pattern: string): boolean {
  const parts = pattern.match(PARTS) ?? [];
  const before = (at: number): string => parts[at - 1] ?? "";
  const repeats = parts.filter((part) => /^[*+{]$/.test(part)).length;
  // Excludes `(?:` and lazy quantifiers.
  const optional = parts.filter((part, at) => part === "?" && !/^[(*+?}]$/.test(before(at))).length;
  const isGroupRepeated = parts.some((part, at) => /^[*+{]$/.test(part) && before(at) === ")");
  const refersBack = parts.some((part) => /^\\[1-9k]/.test(part));
  // An anchored pattern is only tried at one position, so that a second repetition costs no more.
  const most = parts[0] === "^" && !hasOuterChoice(parts) ? 2 : 1;
  return repeats <= most && 2 ** optional * choicesIn(parts) <= MAX_PATHS && !isGroupRepeated && !refersBack;
}

/** The product of all groups' alternatives. Top-level alternatives are tried separately. */
function choicesIn(parts: readonly string[]): number {
  const open: number[] = [];
  let product = 1;
  for (const part of parts) {
    if (part === "(") open.push(1);
    if (part === "|" && open.length > 0) open.push((open.pop() as number) + 1);
    if (part === ")") product *= open.pop() ?? 1;
  }
  return product;
}

function hasOuterChoice(parts: readonly string[]): boolean {
  let depth = 0;
  return parts.some((part) => {
    if (part === "(") depth++;
    if (part === ")") depth--;
    return part === "|" && depth === 0;
  });
}

function patternOf(pattern: string, ignoreCase: boolean): RegExp | undefined {
  if (!isQuick(pattern)) return undefined;
  for (const unicode of ["u", ""]) {
    try {
      return new RegExp(composed(pattern), `${ignoreCase ? "i" : ""}${unicode}`);
    } catch {
      // Without `u`, more escapes are allowed.
    }
  }
  return undefined;
}
