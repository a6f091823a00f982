// Changes of a category list; each returns a new list.
import { rulePattern } from "../../../filter/categories.js";
import { type Category, type CategoryRule, isWithin, keyOf } from "../../categories.js";

/** Editable members of a category; `undefined` removes `color` and `score`. */
export interface CategoryChange {
  readonly rule?: CategoryRule;
  readonly color?: string | undefined;
  readonly score?: number | string | undefined;
}

/** Members that ActivityWatch's web UI derives from the name. */
const DERIVED: ReadonlySet<string> = new Set(["name_pretty", "subname", "depth", "parent", "children"]);

/** Appends a new category. */
export function added(categories: readonly Category[], name: readonly string[], rule: CategoryRule): Category[] {
  return [...categories, { id: freeId(categories), name, rule }];
}

function freeId(categories: readonly Category[]): number {
  return categories.reduce((most, { id }) => (Number.isSafeInteger(id) ? Math.max(most, id ?? -1) : most), -1) + 1;
}

/** Assigns IDs to categories without one, such as the default ones. */
export function withIds(categories: readonly Category[]): readonly Category[] {
  if (categories.every(({ id }) => id !== undefined)) return categories;
  let next = freeId(categories);
  return categories.map((category) => (category.id === undefined ? { id: next++, ...category } : category));
}

/** Inserts a new category at the start: the last rule of a depth wins, so it only gets otherwise unmatched events. */
export function addedInFront(categories: readonly Category[], name: readonly string[], rule: CategoryRule): Category[] {
  return [{ id: freeId(categories), name, rule }, ...categories];
}

/** Changes rule, color or score of a category. */
export function changed(categories: readonly Category[], index: number, change: CategoryChange): Category[] {
  return categories.map((category, at) => (at === index ? withChange(category, change) : category));
}

function withChange(category: Category, change: CategoryChange): Category {
  const { data = {}, ...rest } = category;
  const entries = Object.entries({
    ...data,
    ...("color" in change && { color: change.color }),
    ...("score" in change && { score: change.score }),
  });
  const left: NonNullable<Category["data"]> = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  const keepsData = category.data !== undefined || Object.keys(left).length > 0;
  return { ...rest, rule: change.rule ?? category.rule, ...(keepsData ? { data: left } : {}) };
}

/** Moves a category and its subcategories in the tree. */
export function moved(categories: readonly Category[], from: readonly string[], to: readonly string[]): Category[] {
  return categories.map((category) => {
    if (!isWithin(category.name, from)) return category;
    const entries = Object.entries(category).filter(([member]) => !DERIVED.has(member));
    const kept = Object.fromEntries(entries) as unknown as Category;
    return { ...kept, name: [...to, ...category.name.slice(from.length)] };
  });
}

/** Text key of the reason why a category cannot be moved; `undefined` if it can. */
export function moveError(
  categories: readonly Category[],
  from: readonly string[] | undefined,
  to: readonly string[],
): "needsName" | "belowItself" | "nameTaken" | undefined {
  if (to.at(-1)?.trim() === "") return "needsName";
  if (from !== undefined && keyOf(from) === keyOf(to)) return undefined;
  if (from !== undefined && isWithin(to, from)) return "belowItself";
  const isTaken = categories.some(({ name }) => isWithin(name, to));
  return isTaken ? "nameTaken" : undefined;
}

/** An unused name below a parent. */
export function freeName(
  categories: readonly Category[],
  parent: readonly string[],
  wanted: string,
): readonly string[] {
  let name = [...parent, wanted];
  for (let number = 2; moveError(categories, undefined, name); number++) name = [...parent, `${wanted} ${number}`];
  return name;
}

/** Removes a category and its subcategories. */
export function removed(categories: readonly Category[], name: readonly string[]): Category[] {
  return categories.filter((category) => !isWithin(category.name, name));
}

/** Adds an alternative pattern to a rule. */
export function extended(rule: CategoryRule, pattern: string): CategoryRule {
  const before = rulePattern(rule) ?? "";
  return { ...rule, type: "regex", regex: before === "" ? pattern : `${before}|${pattern}` };
}
