// How much time people want to spend on something, and how much at most, under the settings key `goals`
// (docs/web.md#goals-and-limits). Pure.
import { isJsonObject, type JsonValue } from "../domain/json.js";
import { keyOf } from "./categories.js";

const KINDS = ["goal", "limit"] as const;

/** A goal or a limit of a category with all below it. */
export interface Goal {
  /** The name of the category; `[]` = all active time. */
  readonly category: readonly string[];
  /** A goal is what is wanted at least, a limit what is wanted at most. */
  readonly kind: (typeof KINDS)[number];
  readonly seconds: number;
  readonly per: "day" | "week";
}

/** What a goal and a limit come to in a period, in seconds. */
export type Targets = { readonly [kind in Goal["kind"]]?: number };

/** A stretch of time that goals are applied to. */
export interface Span {
  /** Whether it is one day; goals of a week say nothing about it. */
  readonly isDay: boolean;
  readonly days: number;
  /** Days on which there was activity: goals of a day are for these. `undefined` until they are known. */
  readonly activeDays: number | undefined;
}

export const GOALS_KEY = "goals";

/** Reads what is stored; what is no goal is left out. An item may have a goal and a limit, both of its `per`. */
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

/** There is one of each kind for a category. */
function placeOf({ category, kind }: Pick<Goal, "category" | "kind">): string {
  return `${kind} ${keyOf(category)}`;
}

/** Goals with one put in the place of that before; one of no time is gone. */
export function withGoal(goals: readonly Goal[], goal: Goal): readonly Goal[] {
  const others = goals.filter((other) => placeOf(other) !== placeOf(goal));
  return goal.seconds === 0 ? others : [...others, goal];
}

/** The goal and the limit of a category, as far as there are any. */
export function goalsOf(goals: readonly Goal[], category: readonly string[]): readonly Goal[] {
  return goals.filter((goal) => keyOf(goal.category) === keyOf(category));
}

/** What goals of one category come to: those of a day on each day with activity, of a week on each seven days. */
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

/** Goals of categories that have got other names. */
export function renamedGoals(
  goals: readonly Goal[],
  nameOf: (name: readonly string[]) => readonly string[],
): readonly Goal[] {
  return goals.map((goal) => ({ ...goal, category: goal.category.length === 0 ? [] : nameOf(goal.category) }));
}

export function printGoals(goals: readonly Goal[]): JsonValue {
  return goals.map(({ category, kind, seconds, per }) => ({ category: [...category], [kind]: seconds, per }));
}
