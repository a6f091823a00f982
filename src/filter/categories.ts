// Categories as the official UI keeps them (docs/compatibility.md#settings-of-the-web-ui), as far as the server and the
// page both read them.
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";

/** What assigns a category; members that are not named here belong to others and stay. */
export interface CategoryRule {
  readonly type: "regex" | "none";
  readonly regex?: string;
  readonly ignore_case?: boolean;
}

/** A category, in the shape of the settings `classes`; members that are not named here stay as they are. */
export interface Category {
  readonly id?: number;
  /** From the root: `["Work", "Programming"]`; at least one level. */
  readonly name: readonly string[];
  readonly rule: CategoryRule;
  readonly data?: { readonly color?: string; readonly score?: number };
}

/** What is read of a stored list. */
export interface StoredCategories {
  readonly categories: readonly Category[];
  /** What is none, to be kept when the list is saved. */
  readonly others: readonly JsonValue[];
}

/**
 * Reads a stored list. What is missing or odd in a category counts as absent, and what is no category at all is put
 * aside. @returns `undefined` for what is no list
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
  const { name, rule, data, ...rest } = item;
  const levels = readName(name);
  if (levels === undefined) return undefined;
  // The rest first, so that what was read counts.
  return {
    ...rest,
    name: levels,
    rule: readRule(isJsonObject(rule) ? rule : {}),
    ...(isJsonObject(data) ? { data: readData(data) } : {}),
  };
}

function readName(name: JsonValue | undefined): readonly string[] | undefined {
  if (typeof name === "string" && name !== "") return [name];
  if (!Array.isArray(name) || name.length === 0) return undefined;
  const levels: readonly JsonValue[] = name;
  return levels.every((level) => typeof level === "string") ? levels : undefined;
}

function readRule({ type, regex, ignore_case, ...rest }: JsonObject): CategoryRule {
  const text = typeof regex === "string" ? { regex } : {};
  const ignores = ignore_case === undefined ? {} : { ignore_case: Boolean(ignore_case) };
  // Servers take a rule without type for a regular expression.
  const isRegex = typeof regex === "string" && (type === "regex" || type === undefined);
  return { ...rest, type: isRegex ? "regex" : "none", ...text, ...ignores };
}

function readData({ color, score, ...rest }: JsonObject): NonNullable<Category["data"]> {
  return {
    ...rest,
    ...(typeof color === "string" ? { color } : {}),
    ...(typeof score === "number" ? { score } : {}),
  };
}

/** Lists in force: the user's own (`default`) and further sets, by the ids that are active, the first before others. */
export function activeCategories(
  own: readonly Category[],
  sets: ReadonlyMap<string, readonly Category[]>,
  activeIds: readonly string[],
): readonly Category[] {
  const lists = activeIds.flatMap((id) => (id === "default" ? [own] : [sets.get(id) ?? []]));
  if (lists.length === 0) return own;
  const taken = new Set<string>();
  const kept = lists.map((list) => {
    const free = list.filter(({ name }) => !taken.has(JSON.stringify(name)));
    for (const { name } of free) taken.add(JSON.stringify(name));
    return free;
  });
  // Of rules of the same depth the later one wins.
  return kept.reverse().flat();
}
