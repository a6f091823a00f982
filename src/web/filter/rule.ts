// Creates rules, and computes their effect. Pure.
import { ignoresCase, rulePattern } from "../../filter/categories.js";
import { type Category, type CategoryRule, isActive, keyOf, UNCATEGORIZED } from "../categories.js";
import { added, changed, extended } from "../views/categories/edits.js";
import { type Condition, printConditions, readConditions } from "./conditions.js";

/** The key of a ticket. */
const TICKET = /(?<![\p{L}\p{N}_-])(\p{Lu}[\p{Lu}\p{N}_]*)-\d+(?![\p{L}\p{N}_-])/u;
/** The key of a ticket in a pattern that was derived from a title. */
const TICKET_PATTERN = /(?<![\p{L}\p{N}_-])(\p{Lu}[\p{Lu}\p{N}_]*)-(?:\\d\+|\(\?:#\|\\d\+\))(?![\p{L}\p{N}_-])/u;

/** The key of the project of a title's or a derived pattern's ticket. */
export function ticketProject(text: string): string | undefined {
  return (TICKET.exec(text) ?? TICKET_PATTERN.exec(text))?.[1];
}

/** The rule of conditions. */
export function ruleOf(conditions: readonly Condition[]): CategoryRule {
  const isCaseless = conditions.every((condition) => condition.isCaseless);
  const printed = isCaseless ? conditions.map(({ kind, text }) => ({ kind, text })) : conditions;
  return { type: "regex", regex: printConditions(printed), ignore_case: isCaseless };
}

/** Time that a rule matches, by current category. */
export type Matched = readonly { readonly name: readonly string[]; readonly seconds: number }[];

/**
 * Seconds that would change their category if a rule were added: time with a category of higher rank does not move.
 *
 * @param categories the active ones
 * @param target a category, even one that is not in the list
 */
export function movedSeconds(matched: Matched, categories: readonly Category[], target: readonly string[]): number {
  const own = strongestRank(categories, target) ?? { rank: rankOf({ name: target }), place: categories.length };
  return matched.reduce((sum, { name, seconds }) => {
    if (keyOf(name) === keyOf(target)) return sum;
    const other = strongestRank(categories, name);
    const wins = other === undefined || own.rank > other.rank || (own.rank === other.rank && own.place > other.place);
    return wins ? sum + seconds : sum;
  }, 0);
}

/** Rank of a category's strongest rule; `undefined` if it has none. */
function strongestRank(
  categories: readonly Category[],
  name: readonly string[],
): { readonly rank: number; readonly place: number } | undefined {
  if (name.length === 1 && name[0] === UNCATEGORIZED) return undefined;
  const key = keyOf(name);
  const places = categories.flatMap((category, place) =>
    keyOf(category.name) === key ? [{ rank: rankOf(category), place, isOn: isActive(category.rule) }] : [],
  );
  return places.sort((a, b) => Number(b.isOn) - Number(a.isOn) || b.rank - a.rank || b.place - a.place)[0];
}

function rankOf({ name, rule }: { readonly name: readonly string[]; readonly rule?: CategoryRule }): number {
  const fields = new Map<string, unknown>(Object.entries(rule ?? {}));
  const rank = fields.get("priority") ?? fields.get("weight");
  return typeof rank === "number" && Number.isInteger(rank) ? rank : name.length * 10;
}

/** Adds a rule to a category. A new category goes to the end, since the last rule of a depth wins. */
export function withRule(
  categories: readonly Category[],
  name: readonly string[],
  rule: CategoryRule,
): readonly Category[] {
  const at = categories.findIndex((category) => keyOf(category.name) === keyOf(name));
  const before = categories[at];
  if (before === undefined) return added(categories, name, rule);
  return changed(categories, at, { rule: joined(before.rule, rule) });
}

/** Merges two rules into one. */
function joined(before: CategoryRule, rule: CategoryRule): CategoryRule {
  if (!isActive(before)) return { ...before, ...rule };
  const regex = rulePattern(rule) ?? "";
  if (!ignoresCase(rule) || ignoresCase(before)) return extended(before, regex);
  // Preserves the case sensitivity of each.
  const conditions = readConditions(regex).map((condition) => ({ ...condition, isCaseless: true }) as const);
  return extended(before, printConditions(conditions));
}
