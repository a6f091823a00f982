// How the dashboard changes and applies goals. Pure.
import { type Goal, placeOf } from "../domain/goals.js";
import type { JsonValue } from "../domain/json.js";
import { keyOf } from "./categories.js";

/** Target times of a goal and a limit in a period, in seconds. */
export type Targets = { readonly [kind in Goal["kind"]]?: number };

/** A time range to apply goals to. */
export interface Span {
  /** Whether it is one day; weekly goals do not apply to a day. */
  readonly isDay: boolean;
  readonly days: number;
  /** Number of days with activity, which daily goals apply to. `undefined` until known. */
  readonly activeDays: number | undefined;
}

export const GOALS_KEY = "goals";

/** Adds or replaces a goal; a zero goal is removed. */
export function setGoal(goals: readonly Goal[], goal: Goal): readonly Goal[] {
  const others = goals.filter((other) => placeOf(other) !== placeOf(goal));
  return goal.seconds === 0 ? others : [...others, goal];
}

/** The goal and the limit of a category, if it has them. */
export function goalsOf(goals: readonly Goal[], category: readonly string[]): readonly Goal[] {
  return goals.filter((goal) => keyOf(goal.category) === keyOf(category));
}

/**
 * Target times of one category's goals in a time range: daily goals for each day with activity, weekly ones for each
 * seven days.
 */
export function targetsIn(goals: readonly Goal[], span: Span): Targets {
  return Object.fromEntries(
    goals.flatMap(({ kind, seconds, per }) => {
      const times = timesIn(per, span);
      return times === 0 ? [] : [[kind, seconds * times]];
    }),
  );
}

function timesIn(per: Goal["per"], { isDay, days, activeDays = 0 }: Span): number {
  if (per === "week") return isDay ? 0 : days / 7;
  return isDay ? 1 : activeDays;
}

/** Updates goals for renamed categories. */
export function renamedGoals(
  goals: readonly Goal[],
  nameOf: (name: readonly string[]) => readonly string[],
): readonly Goal[] {
  return goals.map((goal) => ({ ...goal, category: goal.category.length === 0 ? [] : nameOf(goal.category) }));
}

export function printGoals(goals: readonly Goal[]): JsonValue {
  return goals.map(({ category, kind, seconds, per }) => ({ category: [...category], [kind]: seconds, per }));
}
