// Parses the address of a search, and creates the request. Pure.
import type { ClientSearch } from "../../../client/client-types.js";
import { termsForEvents } from "../../filter/for-events.js";
import { type Calendar, type Period, periodOfRoute } from "../../period.js";
import type { Place } from "../../router.js";

/** The first segment of the address. */
export const VIEW = "search";

/** Ways of grouping; `events` = no grouping. */
export const WAYS = ["title", "app", "url", "day", "events"] as const;
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

/** The search that all ways of grouping share: active time only, so that all results match. */
export function createSearch(
  filter: readonly string[],
  { period, host }: SearchAddress,
  calendar: Calendar,
): ClientSearch {
  return {
    filter: termsForEvents(filter),
    start: new Date(period.start),
    end: new Date(period.end),
    time_zone: calendar.zone,
    day_start: calendar.startOfDay,
    active: true,
    ...(host === undefined ? {} : { host: [host] }),
  };
}

/** Number of events for the first rows. */
export function firstLimit(way: Way): number {
  return way === "events" ? INITIAL_ROWS : MAX_FIRST;
}
