// Categories as the official UI keeps them (docs/compatibility.md#settings-of-the-web-ui): a flat list whose names are
// paths of a tree.
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

/** What no rule matches. */
export const UNCATEGORIZED = "Uncategorized";

/** A category in the tree. */
export interface CategoryNode {
  readonly name: readonly string[];
  /** Where it is in the list; `undefined` when only its children are there. */
  readonly index: number | undefined;
  readonly children: readonly CategoryNode[];
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

/** The value to store: categories, and behind them what was none. */
export function printCategories({ categories, others }: StoredCategories): JsonValue {
  // Only texts, numbers and what was read as JSON; a round trip leaves out what is undefined.
  return JSON.parse(JSON.stringify([...categories, ...others])) as JsonValue;
}

/** Rules as a program takes them: `[name, rule]`, those that can match only. */
export function rulesOf(categories: readonly Category[]): (readonly [readonly string[], CategoryRule])[] {
  return categories.filter(({ rule }) => isActive(rule)).map(({ name, rule }) => [name, rule] as const);
}

/** Whether a rule can match anything. */
export function isActive(rule: CategoryRule): rule is CategoryRule & { readonly regex: string } {
  return rule.type === "regex" && rule.regex !== undefined && rule.regex !== "";
}

/** A text that is the same for equal names only. */
export function keyOf(name: readonly string[]): string {
  return JSON.stringify(name);
}

/** A name for people. */
export function labelOf(name: readonly string[]): string {
  return name.join(" > ");
}

/** Whether a name is another one or below it. */
export function isWithin(name: readonly string[], ancestor: readonly string[]): boolean {
  return name.length >= ancestor.length && ancestor.every((level, depth) => level === name[depth]);
}

/** The tree in the order of the list; missing parents are filled in, and of equal names each has a node. */
export function treeOf(categories: readonly Category[]): readonly CategoryNode[] {
  interface Draft extends CategoryNode {
    index: number | undefined;
    readonly children: Draft[];
  }
  const roots: Draft[] = [];
  const byKey = new Map<string, Draft>();
  const place = (name: readonly string[]): Draft => {
    const node: Draft = { name, index: undefined, children: [] };
    (name.length === 1 ? roots : found(name.slice(0, -1)).children).push(node);
    if (!byKey.has(keyOf(name))) byKey.set(keyOf(name), node);
    return node;
  };
  const found = (name: readonly string[]): Draft => byKey.get(keyOf(name)) ?? place(name);
  categories.forEach(({ name }, index) => {
    const before = found(name);
    (before.index === undefined ? before : place(name)).index = index;
  });
  return roots;
}

/** Nodes from the top to the bottom, as a tree is read. */
export function flattened(nodes: readonly CategoryNode[]): CategoryNode[] {
  return nodes.flatMap((node) => [node, ...flattened(node.children)]);
}

/** All names that are in a list, parents that have no entry among them, each once. */
export function namesOf(categories: readonly Category[]): readonly (readonly string[])[] {
  const names = new Map(flattened(treeOf(categories)).map(({ name }) => [keyOf(name), name]));
  return [...names.values()];
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
    const free = list.filter(({ name }) => !taken.has(keyOf(name)));
    for (const { name } of free) taken.add(keyOf(name));
    return free;
  });
  // Of rules of the same depth the later one wins.
  return kept.reverse().flat();
}
