// Converts rows of reports to rows of lists. Pure.
import type { Foldable } from "../../filter/fold.js";
import { createCondition } from "../../filter/handle.js";
import { shorten } from "../../format.js";
import type { CategoryTime, ReportGroup } from "../../report.js";

/** A row with a duration. */
export interface Row extends Foldable {
  /** Difference from the previous period, in seconds; `undefined` = unknown. */
  readonly change?: number | undefined;
  /** Its time by category, longest first. */
  readonly parts?: readonly CategoryTime[] | undefined;
}

/** Lists of reports, except the tree of categories. */
export type ListName = "app" | "title" | "site" | "project" | "host";

/** Maximum length of displayed strings. */
const MAX_CHARACTERS = 2000;
/** Shorter rows are hidden, in seconds. */
const MIN_ROW = 0.05;

/** @param field the key of event data to filter by; `undefined` for rows without a condition */
export function rowsOf(
  group: Pick<ReportGroup, "rows"> | undefined,
  field: string | undefined,
  from = 0,
): readonly Row[] {
  const rows = (group?.rows ?? []).map(({ key, app, seconds, change, categories }, index): Row => {
    const label = shorten(key ?? "", MAX_CHARACTERS);
    return {
      ...{ key: `${from + index} ${label.slice(0, 80)}`, label, seconds, change, parts: categories },
      note: app ?? undefined,
      handle: field === undefined ? undefined : createCondition(field, key),
    };
  });
  return rows.filter(({ seconds }) => seconds >= MIN_ROW);
}

/** Equal for rows of two lists about the same thing. */
export function identityOf({ label, note }: Row): string {
  return JSON.stringify([label, note ?? ""]);
}
