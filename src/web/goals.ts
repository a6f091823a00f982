// How the dashboard changes and applies goals. Pure.
import { type Goal, placeOf } from "../domain/goals.js";
import type { JsonValue } from "../domain/json.js";
import { keyOf } from "./categories.js";

/** Days that a daily goal or limit applies to, and on how many it was reached or kept. */
export interface GoalDays {
  readonly count: number;
  readonly met: number;
}

/** Target times of a goal and a limit in a period, in seconds. */
export type Targets = { readonly [kind in Goal["kind"]]?: number } & {
  /** Of daily ones in a longer period. */
  readonly days?: { readonly [kind in Goal["kind"]]?: GoalDays };
};

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
