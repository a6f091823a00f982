// Marks of categories, by their scores. Pure.
import { createScores, readScore } from "../../../filter/categories.js";
import type { Category } from "../../categories.js";

export type Mark = "productive" | "neutral" | "distracting";

/** The mark of a score. */
export function markOf(score: number): Mark {
  return score > 0 ? "productive" : score < 0 ? "distracting" : "neutral";
}

/** The mark of a category itself; `undefined` if it has the one of its parent. */
export function ownMark({ name, data }: Category): Mark | undefined {
  const score = readScore(data?.score);
  return score === undefined && name.length > 1 ? undefined : markOf(score ?? 0);
}

/** The mark of a category's parent. */
export function parentMark(categories: readonly Category[], { name }: Category): Mark {
  return markOf(createScores(categories)(name.slice(0, -1)));
}

/** The score to store for a mark. Keeps a score that has the mark. */
export function scoreOfMark({ name, data }: Category, mark: Mark | undefined): number | string | undefined {
  const score = readScore(data?.score);
  if (mark === undefined) return undefined;
  if (mark === "neutral") return storedScore(name, 0);
  if (score !== undefined && markOf(score) === mark) return score;
  return mark === "productive" ? 1 : -1;
}

/** The score as stored: ActivityWatch's web UI takes the number 0 for the score of the parent. */
export function storedScore(name: readonly string[], score: number): number | string | undefined {
  if (score !== 0) return score;
  return name.length > 1 ? "0" : undefined;
}
