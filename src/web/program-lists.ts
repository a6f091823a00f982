// Results of query programs: lists, sums, or a single list. programs.ts creates the first part.
import { type Filtering, isFiltering } from "./filter/program.js";
import { printTexts } from "./program-text.js";

/** Lists that a program returns. */
export interface RequestedLists {
  /** Only the times of categories, e.g. for a bar of a chart. @default false */
  readonly onlyCategories?: boolean;
  /** Includes active periods, of which a month has many. @default false */
  readonly activeEvents?: boolean;
  /** Returns only one list. @default all lists */
  readonly only?: Only | undefined;
  /** Includes apps by category as `app_parts`. @default false */
  readonly appParts?: boolean;
  /** Omits lists of URLs, page titles, files and languages. @default false */
  readonly lean?: boolean;
  /** Maximum length of each list. @default MOST_ROWS */
  readonly rows?: number;
}

/** A single complete list, the sum, or active periods without breaks of `BREAK_SECONDS`. */
export type Only = "apps" | "titles" | "sites" | "duration" | "stretches";

/** Default maximum length of a list. */
export const MOST_ROWS = 100;
/** Maximum number of titles under a filter. Titles that differ only in numbers are merged later. */
export const MOST_TITLES = 2000;
/** Maximum number of categories per listed app. */
const PARTS_PER_APP = 5;
/** Shorter absences do not count as breaks, in seconds. */
export const BREAK_SECONDS = 300;

const OF_COMPUTERS = ["app", "title"] as const;
export const OF_PHONES = ["app", "classname", "title"] as const;

const CATEGORY_LINES = [
  'cat_events = sort_by_duration(merge_events_by_keys(events, ["$category"]));',
  'RETURN = { "cat_events": cat_events };',
] as const;

const LISTS = ["app_events", "title_events", "cat_events", "duration"] as const;

/** Program lines for titles, apps, categories, and the sum. */
export function groupLines(
  { appParts, rows = MOST_ROWS }: RequestedLists,
  { filtering }: { readonly filtering?: Filtering | undefined },
  titleKeys: readonly string[] = OF_COMPUTERS,
): string[] {
  const titles = isFiltering(filtering) ? Math.max(rows, MOST_TITLES) : rows;
  return [
    `title_events = sort_by_duration(merge_events_by_keys(events, ${printTexts(titleKeys)}));`,
    'app_events = sort_by_duration(merge_events_by_keys(title_events, ["app"]));',
    'cat_events = sort_by_duration(merge_events_by_keys(events, ["$category"]));',
    ...(appParts ? listLines("app_parts", "events", { keys: ["app", "$category"], rows: rows * PARTS_PER_APP }) : []),
    `app_events = limit_events(app_events, ${rows});`,
    `title_events = limit_events(title_events, ${titles});`,
    "duration = sum_durations(events);",
  ];
}

/** Program lines for URLs, sites and page titles, and their total duration. */
export function browserLines({ rows = MOST_ROWS, lean = false }: RequestedLists): string[] {
  const further = [
    ...listLines("urls", "browser_events", { keys: ["url"], rows }),
    ...listLines("titles", "browser_events", { keys: ["title"], rows }),
  ];
  return [
    ...listLines("domains", "browser_events", { keys: ["$domain"], rows }),
    ...(lean ? [] : further),
    "browser_duration = sum_durations(browser_events);",
  ];
}

/** Program lines for a single list; `undefined` if all are requested. */
export function onlyLines(
  { onlyCategories = false, only }: RequestedLists,
  titleKeys: readonly string[] = OF_COMPUTERS,
): readonly string[] | undefined {
  if (onlyCategories) return CATEGORY_LINES;
  if (only === undefined) return undefined;
  if (only === "duration") return ["RETURN = sum_durations(events);"];
  if (only === "stretches") return [`RETURN = flood(period_union(events, []), ${BREAK_SECONDS});`];
  const [from, keys] = {
    apps: ["events", ["app"]] as const,
    titles: ["events", titleKeys] as const,
    sites: ["browser_events", ["$domain"]] as const,
  }[only];
  return [`RETURN = sort_by_duration(merge_events_by_keys(${from}, ${printTexts(keys)}));`];
}

interface ListOptions {
  readonly keys: readonly string[];
  readonly rows: number;
}

/** Program lines for the longest groups of a list. */
export function listLines(name: string, from: string, { keys, rows }: ListOptions): string[] {
  const sorted = `sort_by_duration(merge_events_by_keys(${from}, ${printTexts(keys)}))`;
  return [`${name} = limit_events(${sorted}, ${rows});`];
}

export function listsOf({ appParts }: RequestedLists): readonly string[] {
  return appParts ? [...LISTS, "app_parts"] : LISTS;
}

export function returned(wanted: RequestedLists, ...further: readonly string[]): string {
  const active = wanted.activeEvents ? ', "active_events": not_afk' : "";
  return `RETURN = { ${[`"window": { ${membersOf(listsOf(wanted))}${active} }`, ...further].join(", ")} };`;
}

export function membersOf(names: readonly string[]): string {
  return names.map((name) => `"${name}": ${name}`).join(", ");
}
