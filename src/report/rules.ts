// Settings that reports depend on, compiled.
import type { DomainOf } from "../api/codec.js";
import type { Fault, FaultPlace } from "../domain/fault.js";
import type { JsonObject } from "../domain/json.js";
import { ActivityError, messageOf, mustBe } from "../errors.js";
import { type Category, createScores, readCategories } from "../filter/categories.js";
import { activeCategoriesIn, CATEGORY_SETTINGS } from "../filter/category-sets.js";
import type { Steps } from "../filter/checks.js";
import { type CompiledCategory, compileCategories, createCategorizer } from "../filter/compile.js";
import { compileRegex, type Regex } from "../regex/regex.js";
import type { Decide } from "../transforms/data.js";
import { BROWSERS_SETTING, type BrowserPattern, readBrowsers } from "./browsers.js";
import type { CategoryOf } from "./sums.js";

type ReportFault = DomainOf<"ReportFault">;

/** A compiled pattern. */
export type Pattern = Regex;

/** The settings that reports depend on. */
export const REPORT_SETTINGS: readonly string[] = [
  ...CATEGORY_SETTINGS,
  ...["always_active_pattern", "stopwatch_active", BROWSERS_SETTING, "browser_hosts", "app_names"],
  ...["goals", "workdays", "timeZone", "startOfDay", "startOfWeek"],
];

/** Compiled settings. */
export interface ReportRules {
  readonly settings: JsonObject;
  readonly categories: readonly CompiledCategory[];
  /** Points per hour of a category. */
  readonly scoreOf: (name: readonly string[]) => number;
  readonly alwaysActive: Pattern | undefined;
  readonly browsers: readonly (readonly [word: string, BrowserPattern])[];
  readonly faults: readonly ReportFault[];
  /** Categories of known data. */
  readonly known: WeakMap<JsonObject, readonly string[]>;
}

/** Skips invalid rules, so that one mistake does not prevent every report. */
export function* compileRules(settings: JsonObject): Steps<ReportRules> {
  const faults: ReportFault[] = [];
  const categories: CompiledCategory[] = [];
  const active = activeCategoriesIn(settings);
  for (const category of active) {
    try {
      categories.push(...(yield* compileCategories([category])));
    } catch (cause) {
      faults.push(faultOf("categories", category.name.join(" > "), cause));
    }
  }
  const stored = settings["always_active_pattern"];
  const always = typeof stored === "string" ? stored : "";
  return {
    ...{ settings, categories, faults, scoreOf: createScores(active) },
    alwaysActive: always === "" ? undefined : compiledOr(faults, "always_active_pattern", null, always),
    browsers: readBrowsers(settings[BROWSERS_SETTING]),
    known: new WeakMap(),
  };
}

/**
 * Compiles categories of a request, which are used instead of the stored ones.
 *
 * @throws ActivityError `INVALID_INPUT` with the position of an invalid one
 */
export function* compileGiven(rules: ReportRules, given: readonly JsonObject[]): Steps<ReportRules> {
  const categories: CompiledCategory[] = [];
  const all: Category[] = [];
  for (const [index, item] of given.entries()) {
    const [category] = readCategories([item])?.categories ?? [];
    if (category === undefined) throw mustBe(`categories[${index}]`, "a category with a name and a rule", item);
    all.push(category);
    categories.push(...(yield* compileOne(category, `categories[${index}]`, { rule: index + 1 })));
  }
  const faults = rules.faults.filter(({ setting }) => setting !== "categories");
  return { ...rules, categories, faults, scoreOf: createScores(all), known: new WeakMap() };
}

/** Compiles a rule of a request to a test. @throws ActivityError `INVALID_INPUT` */
export function* compileRuleTest(rule: JsonObject): Steps<Decide<boolean>> {
  const name = ["rule"];
  const categories = yield* compileOne({ name, rule }, "rule", { field: "rule" });
  const find = categoryFinder({ categories, known: new WeakMap() });
  return (data) => {
    const found = find(data);
    return found && found === name;
  };
}

function* compileOne(category: Category, field: string, place: FaultPlace): Steps<readonly CompiledCategory[]> {
  try {
    return yield* compileCategories([category]);
  } catch (cause) {
    if (!ActivityError.is(cause) || cause.code !== "INVALID_INPUT" || cause.fault === undefined) throw cause;
    const reason = messageOf(cause.cause);
    throw new ActivityError("INVALID_INPUT", `${field}: ${reason}`, {
      cause,
      fault: { ...cause.fault, place, reason },
    });
  }
}

/** Compiles a pattern, or records that it is invalid. */
export function compiledOr(
  faults: ReportFault[],
  setting: ReportFault["setting"],
  rule: string | null,
  pattern: string,
): Pattern | undefined {
  try {
    return compileRegex(pattern, { ignoreCase: false, canonical: true });
  } catch (cause) {
    faults.push(faultOf(setting, rule, cause));
    return undefined;
  }
}

function faultOf(setting: ReportFault["setting"], rule: string | null, cause: unknown): ReportFault {
  if (!(cause instanceof Error)) throw cause;
  if (ActivityError.is(cause) && cause.code !== "INVALID_INPUT") throw cause;
  const { name, values } = (cause as { readonly fault?: Fault }).fault ?? {};
  return { setting, rule, message: messageOf(cause), fault: name, values };
}

/** Finds the category of data. Belongs to one request, since it keeps its place during pauses. */
export function categoryFinder({ categories, known }: Pick<ReportRules, "categories" | "known">): CategoryOf {
  const find = createCategorizer(categories);
  let paused: { readonly data: JsonObject; readonly steps: Steps<readonly string[]> } | undefined;
  return (data) => {
    const before = known.get(data);
    if (before !== undefined) return before;
    const found = paused?.data === data ? paused.steps : find(data);
    if (!("next" in found)) {
      known.set(data, found);
      return found;
    }
    const step = found.next();
    paused = step.done === true ? undefined : { data, steps: found };
    if (step.done !== true) return undefined;
    known.set(data, step.value);
    return step.value;
  };
}
