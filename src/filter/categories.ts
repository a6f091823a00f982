// Categories as the official UI keeps them (docs/compatibility.md#settings-of-the-web-ui), as far as the server and the
// page both read them.
import { isJsonObject, type JsonValue } from "../domain/json.js";

/**
 * What assigns a category. As it is stored, since other programs write it too: `rulePattern` and `ignoresCase` read it.
 * Members that are not named here stay as well.
 */
export interface CategoryRule {
  /** `"regex"`, also when it is missing, as servers read it; anything else never matches. */
  readonly type?: JsonValue;
  readonly regex?: JsonValue;
  readonly ignore_case?: JsonValue;
}

/** A category, in the shape of the settings `classes`; members that are not named here stay as they are. */
export interface Category {
  readonly id?: number;
  /** From the root: `["Work", "Programming"]`; at least one level. */
  readonly name: readonly string[];
  readonly rule: CategoryRule;
  /** As it is stored: ActivityWatch's web UI writes scores as numbers and as strings. */
  readonly data?: { readonly color?: JsonValue; readonly score?: JsonValue };
}

/** The pattern of a rule, maybe an empty one; `undefined` for a rule that has none. */
export function rulePattern({ type, regex }: CategoryRule): string | undefined {
  return (type === undefined || type === "regex") && typeof regex === "string" ? regex : undefined;
}

/** Whether a rule ignores case. */
export function ignoresCase({ ignore_case }: CategoryRule): boolean {
  return Boolean(ignore_case);
}

/** What is read of a stored list. */
export interface StoredCategories {
  readonly categories: readonly Category[];
  /** What is none, to be kept when the list is saved. */
  readonly others: readonly JsonValue[];
}

/**
 * Reads a stored list. What is odd in a category stays, and what is no category at all is put aside, so that storing
 * the list again loses nothing. @returns `undefined` for what is no list
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

/** Lists in force: those of the sets that are active, the first before others. */
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
  // Of rules of the same depth the later one wins.
  return kept.reverse().flat();
}
