// Whether a filter can become a rule. Apart from the rules, since every view with a filter needs it. Pure.
import type { Term } from "../../filter/term.js";

/** Keys of data that rules can match, and those whose values occur in titles. */
const KEYS: ReadonlySet<string> = new Set([...["app", "title", "classname", "label"], ...["site", "project", "file"]]);

/** Whether rules can be proposed for a filter. */
export function canAssign(terms: readonly Term[]): boolean {
  return terms.some((term) => term.kind !== "category" && !term.not && (!term.path || KEYS.has(term.path.join("."))));
}
