// Goals and limits of the setting `goals` (docs/guides/goals.md) for a period.
import type { DomainOf } from "../api/codec.js";
import type { Goal } from "../domain/goals.js";
import { microsToSeconds } from "../domain/time.js";
import type { CategorySum } from "./sums.js";

type ReportGoal = DomainOf<"ReportGoal">;

/** The period that goals apply to. */
export interface GoalSpan {
  readonly days: number;
  /** Days with activity, which daily goals apply to. */
  readonly activeDays: number;
}

/** The goals that apply to a period, with the time spent. Weekly ones do not apply to a day. */
export function goalsIn(
  goals: readonly Goal[],
  sums: Iterable<CategorySum>,
  { days, activeDays }: GoalSpan,
): ReportGoal[] {
  const times = [...sums];
  return goals.flatMap(({ seconds: each, ...goal }) => {
    const target = goal.per === "week" ? (days === 1 ? 0 : (each * days) / 7) : each * (days === 1 ? 1 : activeDays);
    if (target === 0) return [];
    const within = times.filter(({ name }) => goal.category.every((level, depth) => level === name[depth]));
    return { ...goal, target, seconds: microsToSeconds(within.reduce((sum, { micros }) => sum + micros, 0)) };
  });
}
