// Days, weeks and months that start at `startOfDay` in a time zone. Pure.
import { WEEKDAYS, type Weekday } from "../domain/weekday.js";
import { addDays, dateAt, datesBetween, hasDate, instantsOf, isDate, weekdayOf } from "./wall-clock.js";

/** Settings that define the start of days and weeks. */
export interface Calendar {
  /** Time zone name, e.g. `Europe/Berlin`. */
  readonly zone: string;
  /** `HH:MM` in the time zone. */
  readonly startOfDay: string;
  readonly startOfWeek: Weekday;
}

/** Kinds of periods; the first segment of a view's route. */
export const PERIOD_KINDS = ["day", "week", "month", "year", "range"] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];

/** Whether a route segment is a kind of period. */
export function isPeriodKind(word: string | undefined): word is PeriodKind {
  return PERIOD_KINDS.some((kind) => kind === word);
}

/** A range of whole days. Timestamps are Unix milliseconds; `end` is exclusive. */
export interface Period {
  readonly kind: PeriodKind;
  /** First day, `YYYY-MM-DD`. */
  readonly first: string;
  /** Last day, `YYYY-MM-DD`. */
  readonly last: string;
  readonly start: number;
  readonly end: number;
}

/** One bar of a chart. */
export interface Part {
  readonly unit: "hour" | "day" | "week" | "month" | "year";
  /** Day on which it starts, `YYYY-MM-DD`. */
  readonly date: string;
  readonly start: number;
  readonly end: number;
}

/** Maximum number of periods in one request. */
export const MAX_PARTS = 31;

const HOUR = 3_600_000;

/** The day of a timestamp: before `startOfDay` it is the previous date. */
export function dayAt(instant: number, calendar: Calendar): string {
  const date = dateAt(instant, calendar.zone);
  return instant < startOf(date, calendar) ? existing(addDays(date, -1), -1, calendar) : date;
}

/** The period of a kind that contains a day. A range contains only that day. */
export function periodAround(kind: PeriodKind, date: string, calendar: Calendar): Period {
  if (kind === "week") {
    const first = addDays(date, -((weekdayOf(date) - WEEKDAYS.indexOf(calendar.startOfWeek) + 7) % 7));
    return periodFrom(kind, first, addDays(first, 6), calendar);
  }
  if (kind === "month") return periodFrom(kind, `${date.slice(0, 7)}-01`, lastOfMonth(date), calendar);
  if (kind === "year") return periodFrom(kind, `${date.slice(0, 4)}-01-01`, `${date.slice(0, 4)}-12-31`, calendar);
  return periodFrom(kind, date, date, calendar);
}

/** A range between two days, in any order. */
export function rangeOf(one: string, other: string, calendar: Calendar): Period {
  return one <= other ? periodFrom("range", one, other, calendar) : periodFrom("range", other, one, calendar);
}

/**
 * The period in a route; today by default.
 *
 * @returns `undefined` for other routes and impossible dates
 */
export function periodOfRoute(path: readonly string[], calendar: Calendar, now: number): Period | undefined {
  const [kind = "day", one, other] = path;
  if (kind === "day" || kind === "week") {
    if (path.length > 2) return undefined;
    const date = one ?? dayAt(now, calendar);
    return isDate(date) ? periodAround(kind, date, calendar) : undefined;
  }
  if (kind === "month") {
    const date = one === undefined ? dayAt(now, calendar) : `${one}-01`;
    return isDate(date) && path.length < 3 ? periodAround(kind, date, calendar) : undefined;
  }
  if (kind === "year") {
    const date = one === undefined ? dayAt(now, calendar) : `${one}-01-02`;
    return isDate(date) && path.length < 3 ? periodAround(kind, date, calendar) : undefined;
  }
  if (kind !== "range" || path.length > 3) return undefined;
  if (one === undefined) return rangeOf(addDays(dayAt(now, calendar), -6), dayAt(now, calendar), calendar);
  return isDate(one) && isDate(other ?? one) ? rangeOf(one, other ?? one, calendar) : undefined;
}

/** The route of a period. */
export function routeOfPeriod({ kind, first, last }: Period): readonly string[] {
  if (kind === "month") return [kind, first.slice(0, 7)];
  if (kind === "year") return [kind, first.slice(0, 4)];
  return kind === "range" ? [kind, first, last] : [kind, first];
}

/** The next (`1`) or previous (`-1`) period of the same kind; a range moves by its length. */
export function adjacentPeriod(period: Period, direction: 1 | -1, calendar: Calendar): Period {
  const { kind, first, last } = period;
  if (kind === "range") {
    const days = daysFrom(first, last) * direction;
    return rangeOf(addDays(first, days), addDays(last, days), calendar);
  }
  const date = existing(direction === 1 ? addDays(last, 1) : addDays(first, -1), direction, calendar);
  return periodAround(kind, date, calendar);
}

/** Whether the current time is in it. */
export function isCurrent({ start, end }: Period, now: number): boolean {
  return start <= now && now < end;
}

/** Dates of a period that exist in the zone. */
export function daysOf({ first, last }: Period, calendar: Calendar): readonly string[] {
  return datesBetween(first, last).filter((date) => hasDate(date, calendar.zone));
}

/**
 * Bars of a period: hours of a day, days of up to a month, otherwise weeks, months or years. Contiguous, and at most
 * `MAX_PARTS` for periods of up to 31 years.
 */
export function partsOf(period: Period, calendar: Calendar): readonly Part[] {
  const days = daysFrom(period.first, period.last);
  if (days === 1) return hoursOf(period, calendar);
  if (days <= MAX_PARTS) return partsFrom("day", daysOf(period, calendar), period, calendar);
  const dates = datesBetween(period.first, period.last);
  const isFirstOfWeek = WEEKDAYS.indexOf(calendar.startOfWeek);
  const weeks = dates.filter((date, index) => index === 0 || weekdayOf(date) === isFirstOfWeek);
  if (weeks.length <= MAX_PARTS) return partsFrom("week", weeks, period, calendar);
  const months = dates.filter((date, index) => index === 0 || date.endsWith("-01"));
  if (months.length <= MAX_PARTS) return partsFrom("month", months, period, calendar);
  const years = dates.filter((date, index) => index === 0 || date.endsWith("-01-01"));
  return partsFrom("year", years, period, calendar);
}

/** All days of a period. */
export function partsOfDays(period: Period, calendar: Calendar): readonly Part[] {
  return partsFrom("day", daysOf(period, calendar), period, calendar);
}

/** The hours of a day as clocks show them. Repeated hours appear twice. */
function hoursOf({ first, start, end }: Period, { zone, startOfDay }: Calendar): readonly Part[] {
  const minute = startOfDay.slice(2);
  const borders = new Set([start]);
  for (const date of datesBetween(first, dateAt(end, zone))) {
    for (let hour = 0; hour < 24; hour++) {
      for (const instant of instantsOf(date, `${String(hour).padStart(2, "0")}${minute}`, zone)) {
        if (instant > start && instant < end) borders.add(instant);
      }
    }
  }
  const starts = [...borders].sort((a, b) => a - b);
  return starts.map((at, index) => ({ unit: "hour", date: first, start: at, end: starts[index + 1] ?? end }));
}

function partsFrom(unit: Part["unit"], dates: readonly string[], { end }: Period, calendar: Calendar): readonly Part[] {
  const starts = dates.map((date) => startOf(date, calendar));
  return dates.map((date, index) => ({ unit, date, start: starts[index] ?? end, end: starts[index + 1] ?? end }));
}

function periodFrom(kind: PeriodKind, first: string, last: string, calendar: Calendar): Period {
  return { kind, first, last, start: startOf(first, calendar), end: startOf(addDays(last, 1), calendar) };
}

/** Start of a day. A day that the zone skipped starts with the next one and is empty. */
function startOf(date: string, calendar: Calendar): number {
  const { zone, startOfDay } = calendar;
  return Math.min(...instantsOf(existing(date, 1, calendar), startOfDay, zone));
}

function existing(date: string, direction: 1 | -1, { zone }: Calendar): string {
  return hasDate(date, zone) ? date : addDays(date, direction);
}

function lastOfMonth(date: string): string {
  const next = addDays(`${date.slice(0, 7)}-28`, 4);
  return addDays(`${next.slice(0, 7)}-01`, -1);
}

/** Number of dates in a range, including both ends. */
function daysFrom(first: string, last: string): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / (24 * HOUR)) + 1;
}
