import type { JsonObject } from "../domain/json.js";
import { ActivityError, quote } from "../errors.js";
import { type Budget, compileRegex, type Regex, RegexLimitError, RegexSyntaxError } from "../regex/regex.js";
import { searchText, WorkLimitError } from "../regex/search-text.js";
import { type CategoryRule, prepareCategoryRules } from "../transforms/classify.js";
import { NO_RULE, RuleWalk } from "../transforms/rule-walk.js";
import { composed } from "../util/composed.js";
import { type Category, ignoresCase, rulePattern } from "./categories.js";
import { type Check, containsCheck, equalsCheck, type Steps, textCheck } from "./checks.js";
import { EventFilter, type SignedCheck } from "./event-filter.js";
import { formatTerm, type Term } from "./term.js";

/** Maximum time for category rules between two pauses, in milliseconds. */
const SLICE_MILLIS = 2;
const UNCATEGORIZED: readonly string[] = ["Uncategorized"];

/** A category with its compiled pattern, for use in many filters. */
export interface CompiledCategory {
  readonly name: readonly string[];
  readonly regex: Regex;
  readonly fields: Pick<CategoryRule, "selectKeys" | "rank">;
}

/**
 * Compiles the active categories, with a pause after each pattern, since thousands of them take seconds.
 *
 * @returns those with a pattern
 * @throws ActivityError `INVALID_INPUT` for an invalid pattern
 */
export function* compileCategories(categories: readonly Category[]): Steps<readonly CompiledCategory[]> {
  const all: CompiledCategory[] = [];
  for (const { name, rule } of categories) {
    const pattern = rulePattern(rule);
    if (pattern === undefined || pattern === "") continue;
    const regex = compilePattern(pattern, ignoresCase(rule), `category ${quote(name.join(" > "))}`);
    all.push({ name, regex, fields: readFields(rule) });
    yield;
  }
  return all;
}

/**
 * Compiles conditions to a filter. Data pass if they meet all conditions.
 *
 * @param categories the active ones, for category conditions
 * @throws ActivityError `INVALID_INPUT` for an invalid pattern
 */
export function compileFilter(terms: readonly Term[], categories: readonly CompiledCategory[] = []): EventFilter {
  let category: ((name: readonly string[]) => Check) | undefined;
  const checks = terms.map((term): SignedCheck => {
    if (term.kind !== "category") return { check: compileTerm(term), not: term.not };
    category ??= createCategoryChecks(categories);
    return { check: category(term.name), not: term.not, isCostly: true };
  });
  // Cheap checks first, since they may make expensive ones unnecessary.
  const isCheap = ({ kind }: Term): boolean => kind === "equals" || kind === "contains";
  const cheap = checks.filter((_, index) => isCheap(terms[index] as Term));
  return new EventFilter([...cheap, ...checks.filter((check) => !cheap.includes(check))]);
}

/** Whether a filter with these conditions depends on the categories. */
export function needsCategories(terms: readonly Term[]): boolean {
  return terms.some(({ kind }) => kind === "category");
}

function compileTerm(term: Exclude<Term, { kind: "category" }>): Check {
  if (term.kind === "equals") return equalsCheck(term.path, term.value);
  if (term.kind === "contains") return containsCheck(term.path, term.text);
  const regex = compilePattern(term.pattern, term.ignoreCase, `filter ${quote(formatTerm(term))}`);
  return textCheck(term.path, (text) => searchWithLimits(regex, text));
}

function compilePattern(pattern: string, ignoreCase: boolean, place: string): Regex {
  try {
    return compileRegex(pattern, { ignoreCase, canonical: true });
  } catch (cause) {
    if (!(cause instanceof RegexSyntaxError)) throw cause;
    throw new ActivityError("INVALID_INPUT", `${place}: ${cause.message}`, { cause, fault: cause.fault });
  }
}

function searchWithLimits(regex: Regex, text: string): boolean | Steps<boolean> {
  const answer = withLimits(() => searchText(regex, text));
  return typeof answer === "boolean" ? answer : stepsWithLimits(answer);
}

function* stepsWithLimits(steps: Steps<boolean>): Steps<boolean> {
  for (;;) {
    const step = withLimits(() => steps.next());
    if (step.done === true) return step.value;
    yield;
  }
}

/** Fails the request on excessive work, since neither result would be correct. */
function withLimits<Answer>(work: () => Answer): Answer {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof WorkLimitError || cause instanceof RegexLimitError)) throw cause;
    throw new ActivityError("QUERY_TOO_LARGE", `the filter is too large: ${cause.message}`, { cause });
  }
}

/**
 * Creates a function that finds the category of data by the strongest rule, like `categorize` of the query language.
 * Use it for one request, since it keeps its position during pauses.
 */
export function createCategorizer(
  categories: readonly CompiledCategory[],
): (data: JsonObject) => readonly string[] | Steps<readonly string[]> {
  let began = 0;
  const isSliceOver = (): boolean => performance.now() - began > SLICE_MILLIS;
  const { strongestFirst } = prepareCategoryRules(categories.map((category) => createRule(category, { isSliceOver })));
  const walk = new RuleWalk(strongestFirst, isSliceOver);
  // Cache for several conditions about the same data.
  const last: { data?: JsonObject; name: readonly string[] } = { name: UNCATEGORIZED };

  function found(data: JsonObject): readonly string[] | undefined {
    if (last.data === data) return last.name;
    began = performance.now();
    walk.through(data);
    const rule = withLimits(() => walk.next());
    if (rule === undefined) return undefined;
    last.data = data;
    last.name = rule === NO_RULE ? UNCATEGORIZED : (strongestFirst[rule] as CategoryRule).name;
    return last.name;
  }

  function* later(data: JsonObject): Steps<readonly string[]> {
    for (;;) {
      yield;
      const category = found(data);
      if (category !== undefined) return category;
    }
  }

  return (data) => found(data) ?? later(data);
}

/** Checks of one walk through the rules. */
function createCategoryChecks(categories: readonly CompiledCategory[]): (name: readonly string[]) => Check {
  const categoryOf = createCategorizer(categories);
  return (name) => {
    const levels = name.map(composed);
    const isWithin = (category: readonly string[]): boolean =>
      levels.every((level, depth) => level === composed(category[depth] ?? ""));
    function* later(steps: Steps<readonly string[]>): Steps<boolean> {
      return isWithin(yield* steps);
    }
    return (data) => {
      const category = categoryOf(data);
      return "next" in category ? later(category) : isWithin(category);
    };
  };
}

/** Maximum steps of all patterns in one slice, which normally ends long before. */
const MAX_STEPS = 50_000_000;

function createRule(
  { name, regex, fields }: CompiledCategory,
  { isSliceOver }: Required<Pick<Budget, "isSliceOver">>,
): CategoryRule {
  const matches: CategoryRule["matches"] = (text) => {
    let steps = 0;
    return regex.test(text, {
      isSliceOver,
      spend(more) {
        steps += more;
        if (steps > MAX_STEPS) throw new WorkLimitError();
      },
    });
  };
  return { name, matches, ...fields };
}

/** Further members of rules by other programs. Queries read them as well. */
interface CategoryRuleFields {
  readonly select_keys?: unknown;
  readonly priority?: unknown;
  readonly weight?: unknown;
}

function readFields(rule: Category["rule"]): Pick<CategoryRule, "selectKeys" | "rank"> {
  const { select_keys: keys, priority, weight } = rule as CategoryRuleFields;
  const rank = priority ?? weight;
  return {
    ...(Array.isArray(keys) && keys.every((key) => typeof key === "string") ? { selectKeys: keys } : {}),
    ...(Number.isInteger(rank) ? { rank: rank as number } : {}),
  };
}
