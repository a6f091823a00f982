// Finds exceeded limits. Pure.

import type { Goal } from "../../domain/goals.js";
import { isWithin, keyOf } from "../categories.js";
import type { CategoryTime } from "../report.js";

/** A limit with the time spent. */
export interface Passed {
  /** Equal for the same limit in the same day or week. */
  readonly key: string;
  readonly category: readonly string[];
  readonly limit: number;
  readonly seconds: number;
}

/** Time spent in the current day or week. */
export interface Spent {
  /** Its first day. */
  readonly first: string;
  readonly times: readonly CategoryTime[];
}

/** The exceeded limits. Limits of a category include its subcategories. */
export function passedLimits(goals: readonly Goal[], spent: Readonly<Record<Goal["per"], Spent>>): readonly Passed[] {
  return goals.flatMap(({ category, kind, seconds: limit, per }) => {
    if (kind !== "limit") return [];
    const { first, times } = spent[per];
    const seconds = times.filter(({ name }) => isWithin(name, category)).reduce((sum, one) => sum + one.seconds, 0);
    return seconds > limit ? [{ key: `${per} ${first} ${limit} ${keyOf(category)}`, category, limit, seconds }] : [];
  });
}
