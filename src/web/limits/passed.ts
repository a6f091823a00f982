// Which limits have been passed. Pure.
import { isWithin, keyOf } from "../categories.js";
import type { Goal } from "../goals.js";
import type { CategoryTime } from "../views/activity/answer.js";

/** A limit with what has been spent. */
export interface Passed {
  /** The same for the same limit of the same day or week. */
  readonly key: string;
  readonly category: readonly string[];
  readonly limit: number;
  readonly seconds: number;
}

/** What is spent in a day or a week that is going on. */
export interface Spent {
  /** Its first day. */
  readonly first: string;
  readonly times: readonly CategoryTime[];
}

/** Limits that what was spent is beyond; those of a category count all that is below it. */
export function passedLimits(goals: readonly Goal[], spent: Readonly<Record<Goal["per"], Spent>>): readonly Passed[] {
  return goals.flatMap(({ category, kind, seconds: limit, per }) => {
    if (kind !== "limit") return [];
    const { first, times } = spent[per];
    const seconds = times.filter(({ name }) => isWithin(name, category)).reduce((sum, one) => sum + one.seconds, 0);
    return seconds > limit ? [{ key: `${per} ${first} ${limit} ${keyOf(category)}`, category, limit, seconds }] : [];
  });
}
