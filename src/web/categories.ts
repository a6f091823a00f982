// Categories as the official UI keeps them (docs/compatibility.md#settings-of-the-web-ui): a flat list whose names are
// paths of a tree.
import type { JsonValue } from "../domain/json.js";
import type {
  StoredCategories as KeptCategories,
  Category as KeptCategory,
  CategoryRule as KeptRule,
} from "../filter/categories.js";
import { rulePattern } from "../filter/categories.js";
import { common } from "./texts/common.js";

/** What assigns a category. */
export type CategoryRule = KeptRule;
/** A category, in the shape of the settings `classes`. */
export type Category = KeptCategory;
/** What is read of a stored list. */
export type StoredCategories = KeptCategories;

/** What no rule matches. */
export const UNCATEGORIZED = "Uncategorized";

/** A category in the tree. */
export interface CategoryNode {
  readonly name: readonly string[];
  /** Where it is in the list; `undefined` when only its children are there. */
  readonly index: number | undefined;
  readonly children: readonly CategoryNode[];
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
export function isActive(rule: CategoryRule): boolean {
  return (rulePattern(rule) ?? "") !== "";
}

/** A text that is the same for equal names only. */
export function keyOf(name: readonly string[]): string {
  return JSON.stringify(name);
}

/** A name for people. */
export function labelOf(name: readonly string[]): string {
  return name.length === 1 && name[0] === UNCATEGORIZED ? common("uncategorized") : name.join(" > ");
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
