// The lists of the view, and how to request all of their rows.
import { client } from "../../api.js";
import { ALL_CATEGORIES, ROW_CATEGORIES } from "../../categories.js";
import type { Report, ReportGroup, ReportRequest } from "../../report.js";
import { type ListName, type ListPart, rowsOf } from "./rows.js";

/** Under a filter, titles that differ only in numbers are merged later. */
const MAX_TITLES = 2000;
const MAX_ROWS = 10_000;

/** The time in distracting categories. */
const DISTRACTIONS: NonNullable<ReportRequest["groups"]> = [
  { by: "app", only: "distracting", name: "distracting app" },
  { by: "title", only: "distracting", name: "distracting title", limit: 500 },
];

/** Lists of reports, in the order of the view. */
export const LIST_PARTS: readonly ListPart[] = [
  ...(["category", "app", "title", "site", "project", "file", "language", "distraction", "host"] as const),
];

/** The groups of lists. */
export function requestedGroups(lists: readonly ListPart[], isFiltered: boolean): NonNullable<ReportRequest["groups"]> {
  return lists.flatMap((part): NonNullable<ReportRequest["groups"]> => {
    if (part === "category") return [ALL_CATEGORIES];
    if (part === "distraction") return DISTRACTIONS;
    return [part === "title" && isFiltered ? { by: part, limit: MAX_TITLES } : part];
  });
}

/** Loads the rows of a list after the first ones. */
export async function loadRest(
  request: ReportRequest,
  list: ListName,
  from: number,
  signal: AbortSignal,
): Promise<Pick<ReportGroup, "rows">> {
  const rows: ReportGroup["rows"][number][] = [];
  const { by: _, around: __, ...rest } = request;
  for (let offset: number | null = from; offset !== null; ) {
    const groups: ReportRequest["groups"] = [ROW_CATEGORIES, { by: list, offset, limit: MAX_ROWS }];
    const group: ReportGroup | undefined = (await client.report({ ...rest, groups }, { signal })).groups[list];
    rows.push(...(group?.rows ?? []));
    offset = group?.next ?? null;
  }
  return { rows };
}

/** The conditions of rows, which the search box completes. */
export function handlesOf({ groups }: Report): readonly (string | undefined)[] {
  return ["app", "site", "project", "file", "language"].flatMap((name) =>
    rowsOf(groups[name], name).map(({ handle }) => handle),
  );
}
