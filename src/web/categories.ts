// Categories in the format of ActivityWatch's web UI (docs/reference/settings.md#settings-of-the-web-ui): a flat
// list whose names are paths of a tree.
import type { JsonValue } from "../domain/json.js";
import type {
  StoredCategories as KeptCategories,
  Category as KeptCategory,
  CategoryRule as KeptRule,
} from "../filter/categories.js";
import { rulePattern } from "../filter/categories.js";
import { common } from "./texts/common.js";

/** The list of all categories in a report. */
export const ALL_CATEGORIES = { by: "category", limit: 10_000 } as const;
/** Requests categories only for the rows of other lists. */
export const ROW_CATEGORIES = { by: "category", limit: 0 } as const;

/** The rule of a category. */
export type CategoryRule = KeptRule;
/** A category in the format of the setting `classes`. */
export type Category = KeptCategory;
/** The parsed content of a stored list. */
export type StoredCategories = KeptCategories;

/** Category of everything that no rule matches. */
export const UNCATEGORIZED = "Uncategorized";

/** A category in the tree. */
export interface CategoryNode {
  readonly name: readonly string[];
  /** Position in the list; `undefined` if only its children are in the list. */
  readonly index: number | undefined;
  readonly children: readonly CategoryNode[];
}

/** The value to store: categories, then the invalid items. */
export function printCategories({ categories, others }: StoredCategories): JsonValue {
  // The round trip removes undefined members.
  return JSON.parse(JSON.stringify([...categories, ...others])) as JsonValue;
}

/** Rules in program format, `[name, rule]`, without inactive ones. */
export function rulesOf(categories: readonly Category[]): (readonly [readonly string[], CategoryRule])[] {
  return categories.filter(({ rule }) => isActive(rule)).map(({ name, rule }) => [name, rule] as const);
}

/** Whether a rule can match anything. */
export function isActive(rule: CategoryRule): boolean {
  return (rulePattern(rule) ?? "") !== "";
}

/** A key that is unique per name. */
export function keyOf(name: readonly string[]): string {
  return JSON.stringify(name);
}

/** The displayed name. */
export function labelOf(name: readonly string[]): string {
  return name.length === 1 && name[0] === UNCATEGORIZED ? common("uncategorized") : name.join(" > ");
}

/** Whether a name equals another one or is below it. */
export function isWithin(name: readonly string[], ancestor: readonly string[]): boolean {
  return name.length >= ancestor.length && ancestor.every((level, depth) => level === name[depth]);
}

/** The tree in list order. Adds missing parents; equal names have separate nodes. */
export function buildTree(categories: readonly Category[]): readonly CategoryNode[] {
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

/** Nodes in depth-first order. */
export function flattened(nodes: readonly CategoryNode[]): CategoryNode[] {
  return nodes.flatMap((node) => [node, ...flattened(node.children)]);
}

/** All distinct names of a list, including parents without an entry. */
export function namesOf(categories: readonly Category[]): readonly (readonly string[])[] {
  const names = new Map(flattened(buildTree(categories)).map(({ name }) => [keyOf(name), name]));
  return [...names.values()];
}
