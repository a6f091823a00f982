// Suggests rules for a filter, and computes their effect. Pure.
import { ignoresCase, rulePattern } from "../../filter/categories.js";
import type { Term } from "../../filter/term.js";
import { type Category, type CategoryRule, isActive, keyOf, UNCATEGORIZED } from "../categories.js";
import { added, changed, extended } from "../views/categories/edits.js";
import { escaped } from "./escaped.js";
import { foldedPattern } from "./fold.js";

/** The key of a ticket. */
const TICKET = /(?<![\p{L}\p{N}_-])(\p{Lu}[\p{Lu}\p{N}_]*)-\d+(?![\p{L}\p{N}_-])/u;
/** The key of a ticket in a pattern that was derived from a title. */
const TICKET_PATTERN = /(?<![\p{L}\p{N}_-])(\p{Lu}[\p{Lu}\p{N}_]*)-(?:\\d\+|\(\?:#\|\\d\+\))(?![\p{L}\p{N}_-])/u;

/** A pattern for a title with any numbers; for a ticket, its whole project. */
export function patternOfTitle(title: string): string {
  const project = TICKET.exec(title)?.[1];
  return project === undefined ? `^${foldedPattern(title)}$` : ofTickets(project);
}

function ofTickets(project: string): string {
  return `\\b${escaped(project)}-\\d+\\b`;
}

/** A generated rule. */
export interface SuggestedRule extends CategoryRule {
  readonly type: "regex";
  readonly regex: string;
  readonly ignore_case?: boolean;
}

/** The rule derived from the last suitable condition; otherwise `undefined`. */
export function suggestedRule(terms: readonly Term[]): SuggestedRule | undefined {
  return terms
    .filter(({ not }) => !not)
    .map(ruleOf)
    .findLast((rule) => rule !== undefined);
}

/** Fields that rules can match. */
const SEEN: ReadonlySet<string> = new Set(["app", "title", "classname"]);

function ruleOf(term: Term): SuggestedRule | undefined {
  if (term.kind === "category") return undefined;
  const key = term.path?.join(".");
  if (key !== undefined && !SEEN.has(key)) return undefined;
  if (term.kind === "contains") return { type: "regex", regex: escaped(term.text), ignore_case: true };
  if (term.kind === "matches") {
    const project = TICKET_PATTERN.exec(term.pattern)?.[1];
    return {
      type: "regex",
      regex: project === undefined ? term.pattern : ofTickets(project),
      ignore_case: term.ignoreCase,
    };
  }
  return { type: "regex", regex: key === "app" ? `^${escaped(term.value)}$` : patternOfTitle(term.value) };
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
  // Preserves the case sensitivity of each.
  return extended(before, ignoresCase(rule) && !ignoresCase(before) ? `(?i:${regex})` : regex);
}
