// Parses the address of a search, and creates the request. Pure.
import type { ClientSearch } from "../../../client/client-types.js";
import type { ClientBucket } from "../../../client/index.js";
import { isDemoBucket } from "../../../domain/demo.js";
import { isUnknownHost } from "../../../domain/unknown-host.js";
import { parseTerm } from "../../../filter/term.js";
import { termsForEvents } from "../../filter/for-events.js";
import { type Calendar, type Period, periodOfRoute } from "../../period.js";
import type { Place } from "../../router.js";

/** The first segment of the address. */
export const VIEW = "search";

/** Ways of grouping; `events` = no grouping. */
export const WAYS = ["title", "app", "url", "file", "day", "events"] as const;
export type Way = (typeof WAYS)[number];

/** Initial number of rows. */
export const INITIAL_ROWS = 200;
/** Maximum number of events to read for the first groups. */
export const MAX_FIRST = 240;

/** A parsed address. */
export interface SearchAddress {
  readonly period: Period;
  readonly way: Way;
  /** `undefined`: all hosts. */
  readonly host: string | undefined;
}

/** Parses an address of the view; `undefined` for an invalid period. */
export function parseSearchAddress(
  { path, params }: Place,
  calendar: Calendar,
  now: number,
): SearchAddress | undefined {
  const [, kind = "year", ...dates] = path;
  const period = periodOfRoute([kind, ...dates], calendar, now);
  if (period === undefined) return undefined;
  const way = WAYS.find((one) => one === params.get("by")) ?? "title";
  return { period, way, host: params.get("host") ?? undefined };
}

export const PAGES = "web.tab.current";
export const FILES = "app.editor.activity";
export const WINDOWS: readonly string[] = ["currentwindow", "app"];
/** Keys of conditions that only pages or files meet. */
const PAGE_KEYS: readonly string[] = ["site", "url", "$domain", "$path", "$protocol", "incognito", "audible"];
const FILE_KEYS: readonly string[] = ["file", "project", "language", "branch"];

/**
 * The buckets to search, so that a moment has one row: the window's, or in views of pages and files theirs. Conditions
 * that only pages or files meet select these. Events of all buckets are listed, but not those of a window's page or
 * file: `mergeMoments`. `undefined` for all.
 */
export function searchedBuckets(
  buckets: readonly Pick<ClientBucket, "id" | "type" | "hostname" | "data">[],
  way: Way,
  filter: readonly string[],
): readonly string[] | undefined {
  const wanted = way === "url" ? PAGES : way === "file" ? FILES : detailType(filter);
  const withWindows = new Set(buckets.filter(({ type }) => WINDOWS.includes(type)).map(({ hostname }) => hostname));
  const isSearched = ({ type, hostname }: Pick<ClientBucket, "type" | "hostname">): boolean => {
    if (way === "events") return true;
    if (wanted !== undefined) return type === wanted;
    const isBeside = withWindows.has(hostname) || (isUnknownHost(hostname) && withWindows.size > 0);
    return !isBeside || (type !== PAGES && type !== FILES);
  };
  const found = buckets.filter((bucket) => isSearched(bucket) && !isDemoBucket(bucket));
  return found.length === buckets.length ? undefined : found.map(({ id }) => id);
}

/** The type of pages or files, if a condition that only they meet selects it. */
export function detailType(filter: readonly string[]): string | undefined {
  const keys = filter.flatMap((text) => keyOfCondition(text) ?? []);
  if (keys.some((key) => PAGE_KEYS.includes(key))) return PAGES;
  return keys.some((key) => FILE_KEYS.includes(key)) ? FILES : undefined;
}

function keyOfCondition(text: string): string | undefined {
  try {
    const term = parseTerm(text);
    return term.kind === "category" || term.not ? undefined : term.path?.join(".");
  } catch {
    return undefined;
  }
}

/** The search that all ways of grouping share: active time only, so that all results match. */
export function createSearch(
  filter: readonly string[],
  { period, host, way }: SearchAddress,
  calendar: Calendar,
  buckets: readonly ClientBucket[] = [],
): ClientSearch {
  const ofHost = host === undefined ? buckets : buckets.filter(({ hostname }) => hostname === host);
  const searched = searchedBuckets(ofHost, way, filter);
  return {
    filter: termsForEvents(filter),
    start: new Date(period.start),
    end: new Date(period.end),
    time_zone: calendar.zone,
    day_start: calendar.startOfDay,
    active: true,
    ...(host === undefined ? {} : { host: [host] }),
    ...(searched === undefined ? {} : { bucket: searched.length === 0 ? [NO_BUCKET] : [...searched] }),
  };
}

/** No bucket has this name. An empty list would select all. */
const NO_BUCKET = " ";

/** Number of events for the first rows. */
export function firstLimit(way: Way): number {
  return way === "events" ? INITIAL_ROWS : MAX_FIRST;
}
