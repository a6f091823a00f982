// Goals and limits for time spent, under the settings key `goals` (docs/guides/goals.md). Pure.
import { isJsonObject, type JsonValue } from "./json.js";

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
export function placeOf({ category, kind }: Pick<Goal, "category" | "kind">): string {
  return `${kind} ${JSON.stringify(category)}`;
}
