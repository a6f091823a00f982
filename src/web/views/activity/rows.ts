// Converts rows of reports to rows of lists. Pure.
import type { Foldable } from "../../filter/fold.js";
import { createAnyCondition, createCondition } from "../../filter/handle.js";
import { shorten } from "../../format.js";
import type { CategoryTime, ReportGroup, ReportRow } from "../../report.js";

/** A row with a duration. */
export interface Row extends Foldable {
  /** Difference from the previous period, in seconds; `undefined` = unknown. */
  readonly change?: number | undefined;
  /** Its time by category, longest first. */
  readonly parts?: readonly CategoryTime[] | undefined;
}

/** Lists of reports, except the tree of categories. */
export type ListName = "app" | "title" | "site" | "project" | "file" | "language" | "host";

/** Lists of reports. */
export type ListPart = "category" | "distraction" | ListName;

/** Maximum length of displayed strings. */
const MAX_CHARACTERS = 2000;
/** Shorter rows are hidden, in seconds. */
export const MIN_ROW = 1;

/** @param field the key of event data to filter by, as a name or by row; `undefined` for rows without a condition */
export function rowsOf(
  group: Pick<ReportGroup, "rows"> | undefined,
  field: string | ((row: ReportRow) => string) | undefined,
  from = 0,
): readonly Row[] {
  const rows = (group?.rows ?? []).map((row, index): Row => {
    const { key, app, seconds, change, categories } = row;
    const label = shorten(key ?? "", MAX_CHARACTERS);
    return {
      ...{ key: `${from + index} ${label.slice(0, 80)}`, label, seconds, change, parts: categories },
      note: app ?? undefined,
      handle: field === undefined ? undefined : conditionOf(row, typeof field === "string" ? field : field(row)),
    };
  });
  return rows.filter(({ seconds }) => seconds >= MIN_ROW);
}

function conditionOf({ key, names }: ReportRow, field: string): string | undefined {
  return names === undefined ? createCondition(field, key) : createAnyCondition(field, names);
}

/** Equal for rows of two lists about the same thing. */
export function identityOf({ label, note }: Row): string {
  return JSON.stringify([label, note ?? ""]);
}
