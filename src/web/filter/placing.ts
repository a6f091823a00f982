// Finds the category for a rule so that time moves to it: the target, or one below it if deeper rules would win. Pure.
import { rulePattern } from "../../filter/categories.js";
import { type Category, type CategoryRule, isWithin } from "../categories.js";
import { shorten } from "../format.js";
import { type Matched, movedSeconds } from "./rule.js";

/** Result of a choice: time that moves, or the reason why none does. */
export type Placing =
  | {
      readonly kind: "moves";
      readonly name: readonly string[];
      readonly seconds: number;
      /** Whether the name has an additional level below the target. */
      readonly isOwn: boolean;
    }
  | { readonly kind: "unmatched" | "there" }
  | { readonly kind: "beaten"; readonly by: readonly string[] };

/**
 * Finds the category for a rule: the target, or a new subcategory if the current category of the matched time would win
 * over the target. All clients prefer deeper categories.
 *
 * @param categories the active ones
 * @param target a category, even one that is not in the list
 */
export function findPlacing(
  matched: Matched,
  categories: readonly Category[],
  target: readonly string[],
  rule: CategoryRule,
): Placing {
  const found = matched.filter(({ seconds }) => seconds > 0);
  const [most, ...others] = found.filter(({ name }) => !isWithin(name, target));
  if (most === undefined) return { kind: found.length === 0 ? "unmatched" : "there" };
  for (const name of [target, [...target, nameOfRule(rulePattern(rule) ?? "")]]) {
    const seconds = movedSeconds(matched, categories, name);
    if (seconds > 0) return { kind: "moves", name, seconds, isOwn: name !== target };
  }
  return { kind: "beaten", by: others.reduce((one, other) => (other.seconds > one.seconds ? other : one), most).name };
}

/** Maximum length of a name derived from a rule, in characters. */
const MAX_NAME = 60;

/** Derives a name from a rule: its pattern without syntax, with `#` for numbers. */
export function nameOfRule(regex: string): string {
  const text = regex.replace(/\\b|^\^|\$$|(\\d\+|\(\?:#\|\\d\+\))|\\(.)/g, (_, number?: string, character?: string) =>
    number === undefined ? (character ?? "") : "#",
  );
  return shorten(text.trim() || regex, MAX_NAME);
}
