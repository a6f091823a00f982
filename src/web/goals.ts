// How much time people want to spend on something, and how much at most, under the settings key `goals`
// (docs/web.md#goals-and-limits). Pure.
import { isJsonObject, type JsonObject, type JsonValue } from "../domain/json.js";
import { keyOf } from "./categories.js";

/** A goal and a limit of a category with all below it. */
export interface Goal {
  /** The name of the category; `[]` = all active time. */
  readonly category: readonly string[];
  /** What is wanted at least, in seconds. */
  readonly goal?: number;
  /** What is wanted at most, in seconds. */
  readonly limit?: number;
  readonly per: "day" | "week";
}

/** What goals come to in a period, in seconds. */
export interface Targets {
  readonly goal?: number;
  readonly limit?: number;
}

/** A stretch of time that goals are applied to. */
export interface Span {
  /** Whether it is one day; goals of a week say nothing about it. */
  readonly isDay: boolean;
  readonly days: number;
  /** Days on which there was activity: goals of a day are for these. */
  readonly activeDays: number;
}

export const GOALS_KEY = "goals";

/** Reads what is stored; what is no goal is left out. */
export function readGoals(stored: JsonValue | undefined): readonly Goal[] {
  if (!Array.isArray(stored)) return [];
  const items: readonly JsonValue[] = stored;
  const goals = new Map(items.flatMap((item) => readGoal(item) ?? []).map((goal) => [keyOf(goal.category), goal]));
  return [...goals.values()];
}

function readGoal(item: JsonValue): Goal | undefined {
  if (!isJsonObject(item) || !Array.isArray(item["category"])) return undefined;
  const category: readonly JsonValue[] = item["category"];
  if (!category.every((level) => typeof level === "string")) return undefined;
  const targets = { ...secondsIn(item, "goal"), ...secondsIn(item, "limit") };
  if (Object.keys(targets).length === 0) return undefined;
  return { category, ...targets, per: item["per"] === "week" ? "week" : "day" };
}

function secondsIn(item: JsonObject, name: "goal" | "limit"): Targets {
  const value = item[name];
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? { [name]: value } : {};
}

/** Goals with that of one category put in the place of the one before; without goal and limit it is gone. */
export function withGoal(goals: readonly Goal[], goal: Goal): readonly Goal[] {
  const others = goals.filter(({ category }) => keyOf(category) !== keyOf(goal.category));
  return goal.goal === undefined && goal.limit === undefined ? others : [...others, goal];
}

export function goalOf(goals: readonly Goal[], category: readonly string[]): Goal | undefined {
  return goals.find((goal) => keyOf(goal.category) === keyOf(category));
}

/** What a goal comes to: one of a day on each day with activity, one of a week on each seven days. */
export function targetsIn(goal: Goal | undefined, { isDay, days, activeDays }: Span): Targets {
  if (goal === undefined || (isDay && goal.per === "week")) return {};
  const times = goal.per === "week" ? days / 7 : isDay ? 1 : activeDays;
  if (times === 0) return {};
  return {
    ...(goal.goal === undefined ? {} : { goal: goal.goal * times }),
    ...(goal.limit === undefined ? {} : { limit: goal.limit * times }),
  };
}

/** Goals of categories that have got other names. */
export function renamedGoals(
  goals: readonly Goal[],
  nameOf: (name: readonly string[]) => readonly string[],
): readonly Goal[] {
  return goals.map((goal) => ({ ...goal, category: goal.category.length === 0 ? [] : nameOf(goal.category) }));
}

export function printGoals(goals: readonly Goal[]): JsonValue {
  return goals.map(({ category, ...rest }) => ({ category: [...category], ...rest }));
}
