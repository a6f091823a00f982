// What programs answer: lists, sums, or one thing alone. Their beginnings are in programs.ts.
import { type Filtering, isFiltering } from "./filter/program.js";
import { printTexts } from "./program-text.js";

/** Which lists a program answers. */
export interface Wanted {
  /** Only the times of categories, as for a bar of a chart. @default false */
  readonly onlyCategories?: boolean;
  /** Also the periods at the computer, of which there are many in a month. @default false */
  readonly activeEvents?: boolean;
  /** Only one thing of all that there is. @default all lists */
  readonly only?: Only | undefined;
  /** Also apps by category, as `app_parts`. @default false */
  readonly appParts?: boolean;
  /** Without lists of addresses and titles of pages, of files and of languages. @default false */
  readonly lean?: boolean;
  /** Longest list that is answered. @default MOST_ROWS */
  readonly rows?: number;
}

/** One list whole, the sum, or when somebody was active: stretches without a break of `BREAK_SECONDS`. */
export type Only = "apps" | "titles" | "sites" | "duration" | "stretches";

/** Longest list that is answered unless more are asked for. */
export const MOST_ROWS = 100;
/** Titles of a filter, of which those that differ in numbers only become one. */
export const MOST_TITLES = 2000;
/** How many apps by category there are at most for each app that is listed. */
const PARTS_PER_APP = 5;
/** Whoever is away for less has not made a break, in seconds. */
export const BREAK_SECONDS = 300;

const OF_COMPUTERS = ["app", "title"] as const;
export const OF_PHONES = ["app", "classname", "title"] as const;

const CATEGORY_LINES = [
  'cat_events = sort_by_duration(merge_events_by_keys(events, ["$category"]));',
  'RETURN = { "cat_events": cat_events };',
] as const;

const LISTS = ["app_events", "title_events", "cat_events", "duration"] as const;

/** Titles, apps made of them, categories, and the sum. */
export function groupLines(
  { appParts, rows = MOST_ROWS }: Wanted,
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

/** Addresses, sites and titles of pages, and how long they were there. */
export function browserLines({ rows = MOST_ROWS, lean = false }: Wanted): string[] {
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

/** The end of a program that answers one thing; `undefined` when all are wanted. */
export function onlyLines(
  { onlyCategories = false, only }: Wanted,
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

/** The longest groups of a list. */
export function listLines(name: string, from: string, { keys, rows }: ListOptions): string[] {
  const sorted = `sort_by_duration(merge_events_by_keys(${from}, ${printTexts(keys)}))`;
  return [`${name} = limit_events(${sorted}, ${rows});`];
}

export function listsOf({ appParts }: Wanted): readonly string[] {
  return appParts ? [...LISTS, "app_parts"] : LISTS;
}

export function returned(wanted: Wanted, ...further: readonly string[]): string {
  const active = wanted.activeEvents ? ', "active_events": not_afk' : "";
  return `RETURN = { ${[`"window": { ${membersOf(listsOf(wanted))}${active} }`, ...further].join(", ")} };`;
}

export function membersOf(names: readonly string[]): string {
  return names.map((name) => `"${name}": ${name}`).join(", ");
}
