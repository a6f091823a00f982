import type { EventBatch } from "../domain/batch.js";
import {
  type CategoryRules,
  categorize,
  prepareCategoryRules,
  prepareTagRules,
  type TagRules,
  tag,
} from "../transforms/classify.js";
import type { Steps } from "../transforms/steps.js";
import { LruCache } from "../util/lru-cache.js";
import type { CacheMemory } from "../util/memory-budget.js";
import type { Arguments, FunctionContext, QueryFunction } from "./function.js";
import { runToCompletion } from "./function.js";
import { type Rule, RuleError, readCategoryRules, readTagRules } from "./rules.js";
import type { BudgetSlot } from "./slot.js";
import { type ListLike, toJson, type Value } from "./values.js";

/** Memory for compiled rule lists, in bytes. */
const RULE_BYTES = 64 * 1024 * 1024;
/** Bytes of a compiled list per character of its JSON. */
const BYTES_PER_CHARACTER = 160;

/** Compiled rule lists by their JSON. Identical lists are compiled once, even across queries. */
export interface RuleCaches {
  readonly categories: LruCache<string, CategoryRules>;
  readonly tags: LruCache<string, TagRules>;
}

export function createRuleCaches(memory: CacheMemory | undefined): RuleCaches {
  const options = { memory, name: "rules" };
  return { categories: new LruCache(RULE_BYTES, options), tags: new LruCache(RULE_BYTES, options) };
}

/** The functions with rules. They evaluate equal rules once per distinct data, even across queries. */
export const RULE_FUNCTIONS: readonly QueryFunction[] = [
  ruleFunction("categorize", ({ rules }) => rules.categories, categoriesOf, categorize),
  ruleFunction("tag", ({ rules }) => rules.tags, tagsOf, tag),
];

/** @param apply applies compiled rules to events */
function ruleFunction<Rules extends object>(
  name: string,
  knownIn: (context: FunctionContext) => LruCache<string, Rules>,
  compileIn: (context: FunctionContext) => Compile<Rules>,
  apply: (events: EventBatch, rules: Rules) => Steps<EventBatch>,
): QueryFunction {
  return {
    name,
    parameters: ["events", "list"],
    async run(args, context) {
      const rules = await runToCompletion(compileRules(args, knownIn(context), compileIn(context)), context);
      const events = args.events(0);
      return runToCompletion(context.memo.compute(name, [events, rules], apply(events, rules)), context);
    },
  };
}

/** Compiles the rules of a list. */
type Compile<Rules> = (list: ListLike) => Steps<Rules>;

function categoriesOf({ slot }: FunctionContext): Compile<CategoryRules> {
  return function* (list) {
    return prepareCategoryRules(prepareRules(yield* readCategoryRules(list), slot), slot.isSliceOver);
  };
}

function tagsOf({ slot }: FunctionContext): Compile<TagRules> {
  return function* (list) {
    return prepareTagRules(prepareRules(yield* readTagRules(list), slot), slot.isSliceOver);
  };
}

/** @param slot attributes the work of regular expressions to the current query */
function prepareRules<Name>(rules: readonly Rule<Name>[], slot: BudgetSlot) {
  return rules.map(({ name, regex, keys, rank }) => ({
    name,
    ...(rank === undefined ? {} : { rank }),
    ...(keys === undefined ? {} : { selectKeys: keys }),
    ...(regex === undefined ? {} : { matches: (text: string) => regex.test(text, slot) }),
  }));
}

/** Compiles all rules before the first event, so that an invalid rule fails even without events. */
function* compileRules<Rules>(args: Arguments, known: LruCache<string, Rules>, compile: Compile<Rules>): Steps<Rules> {
  try {
    return yield* compileOnce(args.list(1), known, compile);
  } catch (cause) {
    throw cause instanceof RuleError ? args.errorAt(1, cause.message, cause) : cause;
  }
}

function* compileOnce<Rules>(list: ListLike, known: LruCache<string, Rules>, compile: Compile<Rules>): Steps<Rules> {
  const json = toJson(list as Value);
  // Lists with events are invalid; compiling them reports it.
  if (json === undefined) return yield* compile(list);
  const key = JSON.stringify(json);
  const kept = known.get(key);
  const rules = kept === undefined ? yield* compile(list) : kept;
  known.put(key, rules, key.length * BYTES_PER_CHARACTER);
  return rules;
}
