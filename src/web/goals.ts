// Goals and limits for time spent, under the settings key `goals` (docs/guides/goals.md). Pure.
import { isJsonObject, type JsonValue } from "../domain/json.js";
import { keyOf } from "./categories.js";

const KINDS = ["goal", "limit"] as const;

/** A goal or limit for a category and its subcategories. */
export interface Goal {
  /** The category's name; `[]` = all active time. */
  readonly category: readonly string[];
  /** A goal is a minimum, a limit is a maximum. */
  readonly kind: (typeof KINDS)[number];
  readonly seconds: number;
  readonly per: "day" | "week";
}

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

/** Parses the stored goals and skips invalid ones. An item may have both a goal and a limit, with the same `per`. */
export function readGoals(stored: JsonValue | undefined): readonly Goal[] {
  if (!Array.isArray(stored)) return [];
  const items: readonly JsonValue[] = stored;
  const goals = new Map(items.flatMap(readItem).map((goal) => [placeOf(goal), goal]));
  return [...goals.values()];
}

function readItem(item: JsonValue): readonly Goal[] {
  if (!isJsonObject(item) || !Array.isArray(item["category"])) return [];
  const category: readonly JsonValue[] = item["category"];
  if (!category.every((level) => typeof level === "string")) return [];
  const per = item["per"] === "week" ? "week" : "day";
  return KINDS.flatMap((kind) => {
    const seconds = item[kind];
    return typeof seconds === "number" && Number.isFinite(seconds) && seconds > 0
      ? { category, kind, seconds, per }
      : [];
  });
}

/** There is one of each kind per category. */
function placeOf({ category, kind }: Pick<Goal, "category" | "kind">): string {
  return `${kind} ${keyOf(category)}`;
}

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
