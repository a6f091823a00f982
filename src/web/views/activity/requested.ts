// The lists of the view, and how to request all of their rows.
import { client } from "../../api.js";
import { ALL_CATEGORIES, ROW_CATEGORIES } from "../../categories.js";
import { hasDistracting } from "../../category-state.js";
import type { Report, ReportGroup, ReportRequest } from "../../report.js";
import type { Hosts } from "./hosts.js";
import { type ListName, rowsOf } from "./rows.js";

/** Under a filter, titles that differ only in numbers are merged later. */
const MAX_TITLES = 2000;
const MAX_ROWS = 10_000;

/** The time in distracting categories. */
const DISTRACTIONS: NonNullable<ReportRequest["groups"]> = [
  { by: "app", only: "distracting", name: "distracting app" },
  { by: "title", only: "distracting", name: "distracting title", limit: 500 },
];

export function requestedGroups(hosts: Hosts, isFiltered: boolean): NonNullable<ReportRequest["groups"]> {
  const titles = { by: "title", ...(isFiltered ? { limit: MAX_TITLES } : {}) };
  const distractions = hasDistracting.value ? DISTRACTIONS : [];
  const own = [ALL_CATEGORIES, "app", titles, "site", "project", "file", "language", ...distractions];
  return hosts.kind === "all" ? [...own, "host"] : own;
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
