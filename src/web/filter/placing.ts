// Where a rule goes so that time moves: to a category or, where deeper ones would win, below it. Pure.
import { rulePattern } from "../../filter/categories.js";
import { type Category, type CategoryRule, isWithin } from "../categories.js";
import { shorten } from "../format.js";
import { type Matched, movedSeconds } from "./rule.js";

/** What comes of a choice: time that moves, or why none does. */
export type Placing =
  | {
      readonly kind: "moves";
      readonly name: readonly string[];
      readonly seconds: number;
      /** Whether the name has a level more than what was chosen. */
      readonly isOwn: boolean;
    }
  | { readonly kind: "unmatched" | "there" }
  | { readonly kind: "beaten"; readonly by: readonly string[] };

/**
 * Finds the category that a rule goes to when somebody chooses one: itself or, where what the time has now would win
 * over it, one of the rule's own below it. Depth is what every client goes by.
 *
 * @param categories those in force
 * @param target a category, in the list or not
 */
export function placingOf(
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

/** Longest name that is made of a rule, in characters. */
const MOST_NAME = 60;

/** What a rule finds, as a name: its pattern without what is not text, with `#` for numbers. */
export function nameOfRule(regex: string): string {
  const text = regex.replace(/\\b|^\^|\$$|(\\d\+|\(\?:#\|\\d\+\))|\\(.)/g, (_, number?: string, character?: string) =>
    number === undefined ? (character ?? "") : "#",
  );
  return shorten(text.trim() || regex, MOST_NAME);
}
