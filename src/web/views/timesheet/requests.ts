// The reports that a timesheet consists of. Pure.
import { formatPath, formatTerm } from "../../../filter/term.js";
import { escaped } from "../../filter/escaped.js";
import type { ReportRequest } from "../../report.js";
import { CATEGORY_KEY, PROJECT_KEY, type SheetChoice } from "./choice.js";

/** Maximum number of columns to choose from automatically, and of values to find the chosen ones in. */
const MAX_GROUPS = 100;
const MAX_VALUES = 1000;
/** Maximum number of titles per day, before those of other columns are left out. */
const MAX_TITLES = 100;

/** The name of the list with the columns. */
export function columnList(by: string): string {
  if (by === CATEGORY_KEY) return "category";
  return by === PROJECT_KEY || by === "app" || by === "title" ? by : `:${formatPath([by])}`;
}

/** The name of the list with the titles. */
export function titleList(by: string): string {
  return by === PROJECT_KEY ? "file" : "title";
}

/** Whether time without a column is left out. */
export function isPart({ columns, others }: SheetChoice): boolean {
  return columns.length > 0 && !others;
}

/** The requests for a sheet: columns and breaks of each day, and titles, in the last one. */
export function sheetRequests(base: ReportRequest, choice: SheetChoice): readonly ReportRequest[] {
  const { by, columns, breakMinutes } = choice;
  const limit = columns.length > 0 ? MAX_VALUES : MAX_GROUPS;
  const titles = { by: titleList(by), in_bins: true, limit: MAX_TITLES };
  const isOwn = isPart(choice) && by !== CATEGORY_KEY && by !== "app" && by !== "title";
  const lists = [{ by: columnList(by), in_bins: true, limit }];
  const whole = { ...base, by: "day" as const, shortest_break: breakMinutes * 60 };
  if (!choice.titles) return [{ ...whole, groups: lists }];
  if (!isOwn) return [{ ...whole, groups: titles.by === columnList(by) ? lists : [...lists, titles] }];
  // Titles do not show the value of another key, so that only a filter leaves out those of other columns.
  const pattern = `^(?:${columns.map(([value = ""]) => escaped(value)).join("|")})$`;
  const term = formatTerm({ kind: "matches", path: [by], pattern, ignoreCase: false, not: false });
  const filter = [...(base.filter ?? []), term];
  return [
    { ...whole, groups: lists },
    { ...base, by: "day", groups: [titles], filter },
  ];
}
