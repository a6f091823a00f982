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
 * dialect than the browser's. A pattern that the browser cannot read holds for everything.
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

function patternOf(pattern: string, ignoreCase: boolean): RegExp | undefined {
  for (const unicode of ["u", ""]) {
    try {
      return new RegExp(composed(pattern), `${ignoreCase ? "i" : ""}${unicode}`);
    } catch {
      // Without `u` more escapes are allowed.
    }
  }
  return undefined;
}
