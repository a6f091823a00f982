// Changes of a list of categories; each gives a new list.
import { rulePattern } from "../../../filter/categories.js";
import { type Category, type CategoryRule, isWithin, keyOf } from "../../categories.js";
import { escaped } from "../../filter/program.js";

/** What of a category can be changed in place; `color` and `score` are removed by `undefined`. */
export interface CategoryChange {
  readonly rule?: CategoryRule;
  readonly color?: string | undefined;
  readonly score?: number | undefined;
}

/** Members of the official UI that follow from the name. */
const DERIVED: ReadonlySet<string> = new Set(["name_pretty", "subname", "depth", "parent", "children"]);

/** Puts a new category at the end. */
export function added(categories: readonly Category[], name: readonly string[], rule: CategoryRule): Category[] {
  return [...categories, { id: freeId(categories), name, rule }];
}

function freeId(categories: readonly Category[]): number {
  return categories.reduce((most, { id }) => (Number.isSafeInteger(id) ? Math.max(most, id ?? -1) : most), -1) + 1;
}

/** Gives an id to each that has none, as those of the page's own list; others keep theirs. */
export function withIds(categories: readonly Category[]): readonly Category[] {
  if (categories.every(({ id }) => id !== undefined)) return categories;
  let next = freeId(categories);
  return categories.map((category) => (category.id === undefined ? { id: next++, ...category } : category));
}

/**
 * Puts a new category in front of all: of rules of the same depth the later one wins, so it gets only what nothing else
 * matches.
 */
export function addedInFront(categories: readonly Category[], name: readonly string[], rule: CategoryRule): Category[] {
  return [{ id: freeId(categories), name, rule }, ...categories];
}

/** Changes rule, colour or score of one. */
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

/** Gives a category and all below it another place in the tree. */
export function moved(categories: readonly Category[], from: readonly string[], to: readonly string[]): Category[] {
  return categories.map((category) => {
    if (!isWithin(category.name, from)) return category;
    const entries = Object.entries(category).filter(([member]) => !DERIVED.has(member));
    const kept = Object.fromEntries(entries) as unknown as Category;
    return { ...kept, name: [...to, ...category.name.slice(from.length)] };
  });
}

/** Why a category cannot be at a place, as a key of the texts; `undefined` when it can. */
export function whyNotMoved(
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

/** A name below a parent that no category has yet. */
export function freeName(
  categories: readonly Category[],
  parent: readonly string[],
  wanted: string,
): readonly string[] {
  let name = [...parent, wanted];
  for (let number = 2; whyNotMoved(categories, undefined, name); number++) name = [...parent, `${wanted} ${number}`];
  return name;
}

/** Takes a category away, with all below it. */
export function removed(categories: readonly Category[], name: readonly string[]): Category[] {
  return categories.filter((category) => !isWithin(category.name, name));
}

/** A regular expression that finds a text wherever a value is equal to it. */
export function exactly(text: string): string {
  return `^${escaped(text)}$`;
}

/** A rule that matches what another one does, and what a further pattern does. */
export function extended(rule: CategoryRule, pattern: string): CategoryRule {
  const before = rulePattern(rule) ?? "";
  return { ...rule, type: "regex", regex: before === "" ? pattern : `${before}|${pattern}` };
}
