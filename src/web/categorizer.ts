import type { JsonObject } from "../domain/json.js";
import { ignoresCase, rulePattern } from "../filter/categories.js";
import { composed } from "../util/composed.js";
import { type Category, rulesOf, UNCATEGORIZED } from "./categories.js";

/** Maximum length of text to search in the browser; the server searches all of it. */
const MAX_SEARCHED = 1000;

/**
 * Creates a function that estimates the category of event data, to color loaded events. It is an estimate, since the
 * regular expressions of server and browser differ; all numbers come from queries. Rules that the browser cannot parse
 * never match.
 */
export function createCategorizer(categories: readonly Category[]): (data: JsonObject) => readonly string[] {
  const none = [UNCATEGORIZED];
  const rules = rulesOf(categories)
    .map(([name, rule]) => ({ name, regex: browserRegex(rulePattern(rule) ?? "", ignoresCase(rule)) }))
    // Deeper categories win; on a tie, the last one.
    .reverse()
    .sort((a, b) => b.name.length - a.name.length);
  const kept = new Map<string, readonly string[]>();
  return (data) => {
    const texts = Object.values(data).flatMap((value) =>
      typeof value === "string" ? [composed(value.slice(0, MAX_SEARCHED))] : [],
    );
    const key = JSON.stringify(texts);
    const before = kept.get(key);
    if (before !== undefined) return before;
    const found = rules.find(({ regex }) => texts.some((text) => regex?.test(text)));
    if (kept.size >= 20_000) kept.clear();
    kept.set(key, found?.name ?? none);
    return found?.name ?? none;
  };
}

/** @returns `undefined` if the browser cannot parse it */
function browserRegex(pattern: string, ignoreCase = false): RegExp | undefined {
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  const source = flags ? pattern.slice(flags[0].length) : pattern;
  const found = new Set(`${flags?.[1] ?? ""}${ignoreCase ? "i" : ""}`);
  for (const unicode of ["u", ""]) {
    try {
      return new RegExp(composed(source), [...found, unicode].join(""));
    } catch {
      // Without `u`, more escapes are allowed.
    }
  }
  return undefined;
}
