// Goals and limits of the setting `goals` (docs/guides/goals.md) for a period.
import type { DomainOf } from "../api/codec.js";
import { isJsonObject, type JsonValue } from "../domain/json.js";
import { microsToSeconds } from "../domain/time.js";
import type { CategorySum } from "./sums.js";

type ReportGoal = DomainOf<"ReportGoal">;

/** A goal or limit for a category and its subcategories. */
type Goal = Omit<ReportGoal, "target" | "seconds"> & { readonly each: number };

/** The period that goals apply to. */
export interface GoalSpan {
  readonly days: number;
  /** Days with activity, which daily goals apply to. */
  readonly activeDays: number;
}

/** Parses the stored goals and skips invalid ones. An item may have both a goal and a limit. */
export function readGoals(stored: JsonValue | undefined): readonly Goal[] {
  if (!Array.isArray(stored)) return [];
  const goals = new Map<string, Goal>();
  for (const item of stored as readonly JsonValue[]) {
    if (!isJsonObject(item) || !Array.isArray(item["category"])) continue;
    const category: readonly JsonValue[] = item["category"];
    if (!category.every((level) => typeof level === "string")) continue;
    for (const kind of ["goal", "limit"] as const) {
      const each = item[kind];
      if (typeof each !== "number" || !Number.isFinite(each) || each <= 0) continue;
      goals.set(JSON.stringify([kind, category]), {
        category,
        kind,
        per: item["per"] === "week" ? "week" : "day",
        each,
      });
    }
  }
  return [...goals.values()];
}

/** The goals that apply to a period, with the time spent. Weekly ones do not apply to a day. */
export function goalsIn(
  goals: readonly Goal[],
  sums: Iterable<CategorySum>,
  { days, activeDays }: GoalSpan,
): ReportGoal[] {
  const times = [...sums];
  return goals.flatMap(({ each, ...goal }) => {
    const target = goal.per === "week" ? (days === 1 ? 0 : (each * days) / 7) : each * (days === 1 ? 1 : activeDays);
    if (target === 0) return [];
    const within = times.filter(({ name }) => goal.category.every((level, depth) => level === name[depth]));
    return { ...goal, target, seconds: microsToSeconds(within.reduce((sum, { micros }) => sum + micros, 0)) };
  });
}
