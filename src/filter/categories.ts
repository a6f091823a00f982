// Categories in the format of ActivityWatch's web UI (docs/reference/settings.md#settings-of-the-web-ui), as far
// as both the server and the dashboard read them.
import { isJsonObject, type JsonValue } from "../domain/json.js";

/**
 * The rule of a category, as stored. Other programs write it as well, so use `rulePattern` and `ignoresCase` to read
 * it. Unknown members are preserved.
 */
export interface CategoryRule {
  /** `"regex"`, which is also the default; any other type never matches. */
  readonly type?: JsonValue;
  readonly regex?: JsonValue;
  readonly ignore_case?: JsonValue;
}

/** A category in the format of the setting `classes`. Unknown members are preserved. */
export interface Category {
  readonly id?: number;
  /** From the root: `["Work", "Programming"]`; at least one level. */
  readonly name: readonly string[];
  readonly rule: CategoryRule;
  /** As stored: ActivityWatch's web UI writes scores as numbers and as strings. */
  readonly data?: { readonly color?: JsonValue; readonly score?: JsonValue };
}

/** The pattern of a rule, which may be empty; `undefined` if the rule has none. */
export function rulePattern({ type, regex }: CategoryRule): string | undefined {
  return (type === undefined || type === "regex") && typeof regex === "string" ? regex : undefined;
}

/** Whether a rule ignores case. */
export function ignoresCase({ ignore_case }: CategoryRule): boolean {
  return Boolean(ignore_case);
}

/**
 * Finds the points per hour of categories as ActivityWatch's web UI does: the own score, otherwise the one of the
 * nearest parent, otherwise 0. There, 0 as a number is no score, but `"0"` is one.
 */
export function createScores(categories: readonly Category[]): (name: readonly string[]) => number {
  const scores = new Map<string, number>();
  for (const { name, data } of categories) {
    const key = JSON.stringify(name);
    const score = readScore(data?.score);
    if (score !== undefined && !scores.has(key)) scores.set(key, score);
  }
  return (name) => {
    for (let depth = name.length; depth > 0 && scores.size > 0; depth--) {
      const score = scores.get(JSON.stringify(name.slice(0, depth)));
      if (score !== undefined) return score;
    }
    return 0;
  };
}

/** Sums of larger scores could exceed the numbers of JSON. */
const MAX_SCORE = 1e9;

/** A stored score; `undefined` if the category has the one of its parent. */
export function readScore(stored: JsonValue | undefined): number | undefined {
  const isText = typeof stored === "string" && stored.trim() !== "";
  const score = isText || typeof stored === "number" ? Number(stored) : 0;
  return Math.abs(score) <= MAX_SCORE && (score !== 0 || isText) ? score : undefined;
}

/** The parsed content of a stored list. */
export interface StoredCategories {
  readonly categories: readonly Category[];
  /** Items that are not categories, preserved when the list is saved. */
  readonly others: readonly JsonValue[];
}

/**
 * Parses a stored list. Preserves unknown members, and sets invalid items aside, so that saving the list loses nothing.
 * @returns `undefined` if it is not a list
 */
export function readCategories(stored: JsonValue | undefined): StoredCategories | undefined {
  if (!Array.isArray(stored)) return undefined;
  const categories: Category[] = [];
  const others: JsonValue[] = [];
  for (const item of stored as readonly JsonValue[]) {
    const category = readCategory(item);
    if (category === undefined) others.push(item);
    else categories.push(category);
  }
  return { categories, others };
}

function readCategory(item: JsonValue): Category | undefined {
  if (!isJsonObject(item)) return undefined;
  const levels = readName(item["name"]);
  if (levels === undefined) return undefined;
  const { rule } = item;
  return { ...item, name: levels, rule: isJsonObject(rule) ? rule : { type: "none" } };
}

function readName(name: JsonValue | undefined): readonly string[] | undefined {
  if (typeof name === "string" && name !== "") return [name];
  if (!Array.isArray(name) || name.length === 0) return undefined;
  const levels: readonly JsonValue[] = name;
  return levels.every((level) => typeof level === "string") ? levels : undefined;
}

/** The categories of all active sets. If names repeat, the first set wins. */
export function activeCategories(
  sets: ReadonlyMap<string, readonly Category[]>,
  activeIds: readonly string[],
): readonly Category[] {
  const lists = activeIds.map((id) => sets.get(id) ?? []);
  const taken = new Set<string>();
  const kept = lists.map((list) => {
    const free = list.filter(({ name }) => !taken.has(JSON.stringify(name)));
    for (const { name } of free) taken.add(JSON.stringify(name));
    return free;
  });
  // Among rules of the same depth, the last one wins, so the first set comes last.
  return kept.reverse().flat();
}
