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
import type { Arguments, QueryFunction } from "./function.js";
import { runToCompletion } from "./function.js";
import { type Rule, RuleError, readCategoryRules, readTagRules } from "./rules.js";
import type { BudgetSlot } from "./slot.js";
import { type ListLike, toJson, type Value } from "./values.js";

/** Memory for compiled rule lists, in bytes. */
const RULE_BYTES = 64 * 1024 * 1024;
/** Bytes of a compiled list per character of its JSON. */
const BYTES_PER_CHARACTER = 160;

/**
 * Creates `categorize` and `tag`. Identical rule lists are compiled once and evaluated once per distinct data, even
 * across queries.
 *
 * @param slot attributes the work of regular expressions to the current query
 */
export function createRuleFunctions(slot: BudgetSlot, memory?: CacheMemory): QueryFunction[] {
  const categories = cacheByJson(memory, function* (list): Steps<CategoryRules> {
    return prepareCategoryRules(prepareRules(yield* readCategoryRules(list), slot), slot.isSliceOver);
  });
  const tags = cacheByJson(memory, function* (list): Steps<TagRules> {
    return prepareTagRules(prepareRules(yield* readTagRules(list), slot), slot.isSliceOver);
  });
  const parameters = ["events", "list"] as const;
  return [
    {
      name: "categorize",
      parameters,
      async run(args, context) {
        const rules = await runToCompletion(compileRules(args, categories), context);
        const events = args.events(0);
        return runToCompletion(context.memo.compute("categorize", [events, rules], categorize(events, rules)), context);
      },
    },
    {
      name: "tag",
      parameters,
      async run(args, context) {
        const rules = await runToCompletion(compileRules(args, tags), context);
        const events = args.events(0);
        return runToCompletion(context.memo.compute("tag", [events, rules], tag(events, rules)), context);
      },
    },
  ];
}

function prepareRules<Name>(rules: readonly Rule<Name>[], slot: BudgetSlot) {
  return rules.map(({ name, regex, keys, rank }) => ({
    name,
    ...(rank === undefined ? {} : { rank }),
    ...(keys === undefined ? {} : { selectKeys: keys }),
    ...(regex === undefined ? {} : { matches: (text: string) => regex.test(text, slot) }),
  }));
}

/** Compiles all rules before the first event, so that an invalid rule fails even without events. */
function* compileRules<Rules>(args: Arguments, kept: (list: ListLike) => Steps<Rules>): Steps<Rules> {
  try {
    return yield* kept(args.list(1));
  } catch (cause) {
    throw cause instanceof RuleError ? args.errorAt(1, cause.message, cause) : cause;
  }
}

/** Caches the compiled rules of the lists used most recently. */
function cacheByJson<Rules>(
  memory: CacheMemory | undefined,
  make: (list: ListLike) => Steps<Rules>,
): (list: ListLike) => Steps<Rules> {
  const kept = new LruCache<string, Rules>(RULE_BYTES, { memory, name: "rules" });
  return function* (list) {
    const json = toJson(list as Value);
    // Lists with events are invalid; compiling them reports it.
    if (json === undefined) return yield* make(list);
    const key = JSON.stringify(json);
    const known = kept.get(key);
    const rules = known === undefined ? yield* make(list) : known;
    kept.put(key, rules, key.length * BYTES_PER_CHARACTER);
    return rules;
  };
}
