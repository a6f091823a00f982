import type { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import { type Effort, mapData, withValue } from "./data.js";
import { NO_RULE, RuleWalk } from "./rule-walk.js";
import type { Steps } from "./steps.js";
import type { TextTest } from "./text-test.js";

/** The test of a rule. */
export interface RuleTest {
  /** Whether a text matches; absent for a rule that never matches. */
  readonly matches?: TextTest;
  /** Restricts the search to the values of these keys; empty or absent = all values. */
  readonly selectKeys?: readonly string[];
}

/** A rule of `categorize`. */
export interface CategoryRule extends RuleTest {
  /** From the outermost category to the innermost. A rule without a name never applies. */
  readonly name: readonly string[];
  /** The matching rule with the highest rank wins; on a tie, the last one. @default 10 x length of the name */
  readonly rank?: number;
}

/** A rule of `tag`. */
export interface TagRule extends RuleTest {
  readonly name: string;
}

/** Prepared rules for `categorize`. Reusable across queries, which speeds up later ones. */
export interface CategoryRules {
  /** Rules that can win, strongest first. */
  readonly strongestFirst: readonly CategoryRule[];
  readonly isSliceOver: Effort["isSliceOver"];
  /** Categorized data by original data. */
  readonly known: WeakMap<JsonObject, JsonObject>;
}

/** Prepared rules for `tag`. Reusable across queries, which speeds up later ones. */
export interface TagRules {
  /** Rules that can match, by the code points of their names. */
  readonly byName: readonly TagRule[];
  readonly isSliceOver: Effort["isSliceOver"];
  /** Tagged data by original data. */
  readonly known: WeakMap<JsonObject, JsonObject>;
}

const UNCATEGORIZED: readonly string[] = Object.freeze(["Uncategorized"]);
const RANK_PER_LEVEL = 10;

/**
 * Prepares rules for `categorize`.
 *
 * @param isSliceOver whether matching has used up the time slice
 */
export function prepareCategoryRules(
  rules: readonly CategoryRule[],
  isSliceOver?: Effort["isSliceOver"],
): CategoryRules {
  const strongestFirst = rules
    .filter(({ name, matches }) => name.length > 0 && matches !== undefined)
    .reverse()
    .sort((a, b) => rankOf(b) - rankOf(a));
  return { strongestFirst, isSliceOver, known: new WeakMap() };
}

function rankOf({ name, rank }: CategoryRule): number {
  return rank ?? RANK_PER_LEVEL * name.length;
}

/**
 * Prepares rules for `tag`.
 *
 * @param isSliceOver whether matching has used up the time slice
 */
export function prepareTagRules(rules: readonly TagRule[], isSliceOver?: Effort["isSliceOver"]): TagRules {
  const byName = rules
    .filter(({ matches }) => matches !== undefined)
    .sort(({ name: nameA }, { name: nameB }) => byCodePoint(nameA, nameB));
  return { byName, isSliceOver, known: new WeakMap() };
}

/** Compares strings by code point: surrogates, which encode the highest ones, come after all other units. */
function byCodePoint(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const unitA = a.charCodeAt(at);
    const unitB = b.charCodeAt(at);
    if (unitA !== unitB) return orderOfUnit(unitA) - orderOfUnit(unitB);
  }
  return a.length - b.length;
}

const LOWEST_SURROGATE = 0xd800;
const HIGHEST_SURROGATE = 0xdfff;
const UNITS = 0x10000;

function orderOfUnit(unit: number): number {
  return unit >= LOWEST_SURROGATE && unit <= HIGHEST_SURROGATE ? unit + UNITS : unit;
}

/**
 * Sets `$category` to the name of the strongest matching rule, or `["Uncategorized"]` if none matches. Rules run once
 * per data object (docs/reference/compatibility.md#rules).
 */
export function categorize(
  events: EventBatch,
  { strongestFirst, isSliceOver, known }: CategoryRules,
): Steps<EventBatch> {
  const walk = new RuleWalk(strongestFirst, isSliceOver);
  function categorized(data: JsonObject): JsonObject | undefined {
    const before = known.get(data);
    if (before !== undefined) return before;
    walk.through(data);
    const found = walk.next();
    if (found === undefined) return undefined;
    const made = withValue(data, "$category", strongestFirst[found]?.name ?? UNCATEGORIZED);
    known.set(data, made);
    return made;
  }
  return mapData(events, categorized, { cost: strongestFirst.length, isSliceOver });
}

/**
 * Sets `$tags` to the names of all matching rules, by code point and without duplicates
 * (docs/reference/compatibility.md#rules). Rules run once per data object; rules with the same name stop at the first
 * match.
 */
export function tag(events: EventBatch, { byName, isSliceOver, known }: TagRules): Steps<EventBatch> {
  const walk = new RuleWalk(byName, isSliceOver);
  let names: string[] = [];
  function tagged(data: JsonObject): JsonObject | undefined {
    const before = known.get(data);
    if (before !== undefined) return before;
    if (walk.through(data)) names = [];
    for (;;) {
      const found = walk.next();
      if (found === undefined) return undefined;
      if (found === NO_RULE) break;
      const { name } = byName[found] as TagRule;
      names.push(name);
      let other = found + 1;
      while (byName[other]?.name === name) other++;
      walk.skipTo(other);
    }
    const made = withValue(data, "$tags", names);
    known.set(data, made);
    return made;
  }
  return mapData(events, tagged, { cost: byName.length, isSliceOver });
}
