// Results of a filter as a table with a row per title and day.
import { slicesOf } from "../../util/slices.js";
import { client } from "../api.js";
import { labelOf, ROW_CATEGORIES, UNCATEGORIZED } from "../categories.js";
import { type CsvCell, wholeSeconds } from "../csv.js";
import { type Calendar, daysOf, type Period } from "../period.js";
import { type Report, reportRequest } from "../report.js";
import type { Hosts } from "../views/activity/hosts.js";

const HEAD = ["date", "category", "app", "title", "seconds"] as const;
/** Days per request, so that responses keep a moderate size. */
const MAX_DAYS = 31;
const MAX_TITLES = 10_000;

/** Loads the table. */
export async function loadTable(
  period: Period,
  calendar: Calendar,
  hosts: Hosts,
): Promise<readonly (readonly CsvCell[])[]> {
  const rows: (readonly CsvCell[])[] = [HEAD];
  for (const days of slicesOf(daysOf(period, calendar), MAX_DAYS)) {
    const range = { kind: "range", first: days[0] ?? "", last: days.at(-1) ?? "" } as const;
    const { bins } = await client.report({
      ...reportRequest(range, calendar, hosts),
      by: "day",
      groups: [ROW_CATEGORIES, { by: "title", in_bins: true, limit: MAX_TITLES }],
    });
    for (const [index, bin] of bins.entries()) rows.push(...rowsOf(days[index] ?? "", bin));
  }
  return rows;
}

function rowsOf(date: string, { lists }: Report["bins"][number]): readonly (readonly CsvCell[])[] {
  return (lists?.["title"]?.rows ?? []).flatMap(({ key, app, seconds, categories }) =>
    (categories ?? [{ name: [UNCATEGORIZED], seconds }]).map((part) => [
      ...[date, labelOf(part.name), app ?? "", key ?? "", wholeSeconds(part.seconds)],
    ]),
  );
}
