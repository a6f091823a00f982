import { Recent } from "../recent.js";
import { type CategoryRules, categorize, categoryRules, type TagRules, tag, tagRules } from "../transforms/classify.js";
import type { BudgetSlot } from "./budget.js";
import type { Arguments, QueryFunction } from "./function.js";
import { finished } from "./function.js";
import { type Rule, RuleError, readCategoryRules, readTagRules } from "./rules.js";
import { jsonOf, type ListLike, type Value } from "./values.js";

/** Lists of rules kept as compiled, with what they have decided. */
const MOST_RULE_LISTS = 32;

/**
 * Makes `categorize` and `tag`. Rules are compiled once for each text of them, and decide once about equal data,
 * however many queries send them.
 *
 * @param slot tells whose work a regular expression does
 */
export function createRuleFunctions(slot: BudgetSlot): QueryFunction[] {
  const categories = createKept((list): CategoryRules => categoryRules(prepared(readCategoryRules(list), slot)));
  const tags = createKept((list): TagRules => tagRules(prepared(readTagRules(list), slot)));
  const parameters = ["events", "list"] as const;
  return [
    {
      name: "categorize",
      parameters,
      run: (args, context) => finished(categorize(args.events(0), rulesIn(args, categories)), context),
    },
    {
      name: "tag",
      parameters,
      run: (args, context) => finished(tag(args.events(0), rulesIn(args, tags)), context),
    },
  ];
}

function prepared<Name>(rules: readonly Rule<Name>[], slot: BudgetSlot) {
  return rules.map(({ name, regex, keys, rank }) => ({
    name,
    rank,
    ...(keys === undefined ? {} : { selectKeys: keys }),
    ...(regex === undefined ? {} : { matches: (text: string) => regex.test(text, slot) }),
  }));
}

/** All rules are compiled before the first event, so that a bad one fails even without events. */
function rulesIn<Rules>(args: Arguments, kept: (list: ListLike) => Rules): Rules {
  try {
    return kept(args.list(1));
  } catch (cause) {
    throw cause instanceof RuleError ? args.refused(1, cause.message, cause) : cause;
  }
}

/** Keeps what was made of the lists that were used last. */
function createKept<Rules>(make: (list: ListLike) => Rules): (list: ListLike) => Rules {
  const kept = new Recent<Rules>(MOST_RULE_LISTS);
  return (list) => {
    const json = jsonOf(list as Value);
    // Events among them are no rules, and the message says so.
    if (json === undefined) return make(list);
    const key = JSON.stringify(json);
    const rules = kept.get(key) ?? make(list);
    kept.put(key, rules);
    return rules;
  };
}
