// Finds the category for a rule so that time moves to it: the target, or one below it if deeper rules would win. Pure.
import { type Category, isWithin } from "../categories.js";
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
 * @param ownLevel the name of a new subcategory. Several rules share it, so it is not about one of them
 */
export function findPlacing(
  matched: Matched,
  categories: readonly Category[],
  target: readonly string[],
  ownLevel: string,
): Placing {
  const found = matched.filter(({ seconds }) => seconds > 0);
  const [most, ...others] = found.filter(({ name }) => !isWithin(name, target));
  if (most === undefined) return { kind: found.length === 0 ? "unmatched" : "there" };
  for (const name of [target, [...target, ownLevel]]) {
    const seconds = movedSeconds(matched, categories, name);
    if (seconds > 0) return { kind: "moves", name, seconds, isOwn: name !== target };
  }
  return { kind: "beaten", by: others.reduce((one, other) => (other.seconds > one.seconds ? other : one), most).name };
}
