import type { EventList } from "../domain/event-list.js";
import type { JsonObject } from "../domain/json.js";
import { type Effort, mapData, ownValue, remembered, withValue } from "./data.js";
import type { Steps } from "./list.js";

/** What a rule searches, ready to run. */
export interface RuleTest {
  /** Whether a text matches; absent for a rule that never does. */
  readonly matches?: (text: string) => boolean;
  /** Only the values of these keys are searched; empty or absent = all values. */
  readonly selectKeys?: readonly string[];
}

/** A rule of `categorize`. */
export interface CategoryRule extends RuleTest {
  /** From the outermost category to the innermost; a rule without a name is never chosen. */
  readonly name: readonly string[];
  /** The highest of the matching rules wins; on equal ranks the later rule. @default 10 x length of the name */
  readonly rank?: number;
}

/** A rule of `tag`. */
export interface TagRule extends RuleTest {
  readonly name: string;
}

/** The rules of one `categorize`, prepared by `categoryRules`. May serve many queries, and gets faster by it. */
export interface CategoryRules {
  /** The ones that can win, the strongest first. */
  readonly strongestFirst: readonly CategoryRule[];
  readonly isTired: Effort["isTired"];
  /** Data with their category, by the data without. Goes with the data. */
  readonly known: WeakMap<JsonObject, JsonObject>;
}

/** The rules of one `tag`, prepared by `tagRules`. May serve many queries, and gets faster by it. */
export interface TagRules {
  /** Names by code point, each with its rules. */
  readonly byName: readonly (readonly [name: string, tests: readonly RuleTest[]])[];
  readonly isTired: Effort["isTired"];
  /** Data with their tags, by the data without. Goes with the data. */
  readonly known: WeakMap<JsonObject, JsonObject>;
}

const UNCATEGORIZED: readonly string[] = Object.freeze(["Uncategorized"]);
const RANK_PER_LEVEL = 10;

/**
 * Prepares rules for `categorize`.
 *
 * @param isTired whether matching took so long that others should have their turn
 */
export function categoryRules(rules: readonly CategoryRule[], isTired?: Effort["isTired"]): CategoryRules {
  const strongestFirst = rules
    .filter(({ name, matches }) => name.length > 0 && matches !== undefined)
    .reverse()
    .sort((a, b) => rankOf(b) - rankOf(a));
  return { strongestFirst, isTired, known: new WeakMap() };
}

function rankOf({ name, rank }: CategoryRule): number {
  return rank ?? RANK_PER_LEVEL * name.length;
}

/**
 * Prepares rules for `tag`.
 *
 * @param isTired whether matching took so long that others should have their turn
 */
export function tagRules(rules: readonly TagRule[], isTired?: Effort["isTired"]): TagRules {
  const byName = new Map<string, RuleTest[]>();
  for (const rule of rules) {
    const tests = byName.get(rule.name);
    if (tests === undefined) byName.set(rule.name, [rule]);
    else tests.push(rule);
  }
  return { byName: [...byName].sort(([a], [b]) => byCodePoint(a, b)), isTired, known: new WeakMap() };
}

/** Code units in the order of code points: surrogates, which stand for higher ones, behind all others. */
function byCodePoint(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const unitA = a.charCodeAt(at);
    const unitB = b.charCodeAt(at);
    if (unitA !== unitB) return placeOfUnit(unitA) - placeOfUnit(unitB);
  }
  return a.length - b.length;
}

const LOWEST_SURROGATE = 0xd800;
const HIGHEST_SURROGATE = 0xdfff;
const UNITS = 0x10000;

function placeOfUnit(unit: number): number {
  return unit >= LOWEST_SURROGATE && unit <= HIGHEST_SURROGATE ? unit + UNITS : unit;
}

/**
 * Sets `$category` to the name of the strongest rule that matches, `["Uncategorized"]` where none does (contract
 * query.md 5.8). Rules are tried once for each data object.
 */
export function categorize(events: EventList, rules: CategoryRules): Steps<EventList> {
  function categorized(data: JsonObject): JsonObject {
    const texts = textsOf(data);
    const rule = rules.strongestFirst.find((candidate) => isMatch(candidate, data, texts));
    return withValue(data, "$category", rule?.name ?? UNCATEGORIZED);
  }
  const change = (data: JsonObject): JsonObject => remembered(rules.known, data, () => categorized(data));
  return mapData(events, change, { cost: rules.strongestFirst.length, isTired: rules.isTired });
}

/**
 * Sets `$tags` to the names of all rules that match, by code point and each once (contract query.md 5.8). Rules are
 * tried once for each data object.
 */
export function tag(events: EventList, rules: TagRules): Steps<EventList> {
  function tagged(data: JsonObject): JsonObject {
    const texts = textsOf(data);
    const matching = rules.byName.filter(([, tests]) => tests.some((test) => isMatch(test, data, texts)));
    const names = matching.map(([name]) => name);
    return withValue(data, "$tags", names);
  }
  const change = (data: JsonObject): JsonObject => remembered(rules.known, data, () => tagged(data));
  const tests = rules.byName.reduce((count, [, ofName]) => count + ofName.length, 0);
  return mapData(events, change, { cost: tests, isTired: rules.isTired });
}

/** The values that rules can search. */
function textsOf(data: JsonObject): string[] {
  return Object.values(data).filter((value) => typeof value === "string");
}

function isMatch({ matches, selectKeys }: RuleTest, data: JsonObject, texts: readonly string[]): boolean {
  if (matches === undefined) return false;
  if (selectKeys === undefined || selectKeys.length === 0) return texts.some((text) => matches(text));
  return selectKeys.some((key) => {
    const value = ownValue(data, key);
    return typeof value === "string" && matches(value);
  });
}
