// What panels show, as lines. Pure.
import { labelOf } from "../../categories.js";
import type { CategoryColors } from "../../category-colors.js";
import { handleOfCategory } from "../../filter/handle.js";
import { type CategoryTime, categoryRows, type Row } from "./answer.js";
import type { Line } from "./panel.js";

/** Categories that took time, as a tree. */
export function categoryLines(times: readonly CategoryTime[], colors: CategoryColors): readonly Line[] {
  return categoryRows(times)
    .filter(({ seconds }) => seconds > 0)
    .map(({ name, seconds }) => ({
      key: JSON.stringify(name),
      label: name.at(-1) ?? "",
      within: name.length > 1 ? `${labelOf(name.slice(0, -1))} >` : undefined,
      seconds,
      color: colors.of(name),
      depth: name.length - 1,
      handle: handleOfCategory(name),
    }));
}

/** A row in a colour. */
export function lineOf({ key, label, note, seconds, handle }: Row, color: string): Line {
  return { key, label, note, seconds, color, handle };
}

/** Of all rows, in seconds. */
export function sumOf(rows: readonly Row[] | undefined): number {
  return (rows ?? []).reduce((sum, { seconds }) => sum + seconds, 0);
}
