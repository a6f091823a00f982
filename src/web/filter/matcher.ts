// Whether data meet a filter, for what the page has got already. Pure.

import type { JsonObject, JsonValue } from "../../domain/json.js";
import type { Term } from "../../filter/term.js";
import { caseless, composed } from "../../util/composed.js";
import { type Category, isWithin } from "../categories.js";
import { createCategorizer } from "../categorizer.js";

/** Longest text that is searched in the page. */
const MOST_SEARCHED = 1000;

/**
 * Makes a test of data. It is an estimate, as that of categories is: the server's regular expressions are another
 * dialect than the browser's. A pattern that the browser cannot read, or that may take long, holds for everything.
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

/** What may repeat, outside of escapes and of sets in brackets; a set counts as one character. */
const PARTS = /\\.|\[(?:\\.|[^\]\\])*\]|[\s\S]/g;

/** Ways through one pattern: each optional part doubles them, and each group multiplies them by its alternatives. */
const MOST_WAYS = 8;

/**
 * Whether a pattern takes about quadratic time at most: one repetition, no repeated group, few ways and no back
 * reference. A link brings its filter, and the browser cannot stop an expression; the server bounds its own.
 */
function isQuick(pattern: string): boolean {
  const parts = pattern.match(PARTS) ?? [];
  const before = (at: number): string => parts[at - 1] ?? "";
  const repeats = parts.filter((part) => /^[*+{]$/.test(part)).length;
  // Not that of `(?:`, or of a lazy repetition.
  const optional = parts.filter((part, at) => part === "?" && !/^[(*+?}]$/.test(before(at))).length;
  const isGroupRepeated = parts.some((part, at) => /^[*+{]$/.test(part) && before(at) === ")");
  const refersBack = parts.some((part) => /^\\[1-9k]/.test(part));
  // A pattern for the start is tried at one place only: a second repetition costs no more.
  const most = parts[0] === "^" && !hasOuterChoice(parts) ? 2 : 1;
  return repeats <= most && 2 ** optional * choicesIn(parts) <= MOST_WAYS && !isGroupRepeated && !refersBack;
}

/** The product of the alternatives of all groups. Those outside are tried one after another. */
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
      // Without `u` more escapes are allowed.
    }
  }
  return undefined;
}
