// Whether a filter can become a rule. Apart from the rules, since every view with a filter needs it. Pure.
import type { Term } from "../../filter/term.js";

/** Keys of data that rules can match. */
const KEYS: ReadonlySet<string> = new Set(["app", "title", "classname", "label"]);
/** Keys whose whole values occur in titles. */
const IN_TITLES: ReadonlySet<string> = new Set(["site", "project", "file"]);

/** Whether rules can be proposed for a filter. */
export function canAssign(terms: readonly Term[]): boolean {
  return terms.some((term) => {
    if (term.kind === "category" || term.not) return false;
    const key = term.path?.join(".");
    return key === undefined || KEYS.has(key) || (term.kind === "equals" && IN_TITLES.has(key));
  });
}
