// What an address asks for, and what the server is asked for then. Pure.
import type { ClientSearch } from "../../../client/client-types.js";
import { termsForEvents } from "../../filter/for-events.js";
import { type Calendar, type Period, periodOfRoute } from "../../period.js";
import type { Place } from "../../router.js";

/** The first word of the address. */
export const VIEW = "search";

/** By what it is counted; `events` = listed one by one. */
export const WAYS = ["title", "app", "url", "day", "events"] as const;
export type Way = (typeof WAYS)[number];

/** Rows at the beginning. */
export const FEW = 200;
/** Most events that are looked at for the first groups. */
export const MOST_FIRST = 240;

/** A search as its address names it. */
export interface Asked {
  readonly period: Period;
  readonly way: Way;
  /** `undefined`: all of them. */
  readonly host: string | undefined;
}

/** Reads an address of the view; `undefined` where it names no period that there is. */
export function askedBy({ path, params }: Place, calendar: Calendar, now: number): Asked | undefined {
  const [, kind = "year", ...dates] = path;
  const period = periodOfRoute([kind, ...dates], calendar, now);
  if (period === undefined) return undefined;
  const way = WAYS.find((one) => one === params.get("by")) ?? "title";
  return { period, way, host: params.get("host") ?? undefined };
}

/** The search that all ways of counting have in common: of active time, so that all of them say the same. */
export function searchOf(filter: readonly string[], { period, host }: Asked, calendar: Calendar): ClientSearch {
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

/** How many events bring the first rows. */
export function firstLimit(way: Way): number {
  return way === "events" ? FEW : MOST_FIRST;
}
