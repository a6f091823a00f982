// The period to compare with. Pure.
import {
  adjacentPeriod,
  type Calendar,
  dayAt,
  isCurrent,
  type Part,
  type Period,
  periodAround,
  rangeOf,
} from "../../period.js";
import { addDays, dateAt, instantsOf, isDate, offsetAt } from "../../wall-clock.js";
import { type CategoryTime, sumSeconds } from "./results.js";

/**
 * The period to compare with, and its end for the comparison: complete, or as far as the current period has progressed.
 */
export interface PreviousPeriod {
  readonly period: Period;
  /** Unix milliseconds. */
  readonly until: number;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Number of neighbors, limited by their total length in days. */
const ADJACENT = { most: 15, least: 3, days: 420 } as const;

/**
 * The period to compare with: for a day the same weekday of the previous week, for a range as many whole weeks earlier
 * as it spans, otherwise the previous period. A range that equals a month or year is treated as such. A current period
 * is compared up to the same day and time.
 */
export function previousPeriod(given: Period, calendar: Calendar, now: number): PreviousPeriod {
  const period = namedPeriod(given, calendar);
  const before = periodBefore(period, calendar);
  return { period: before, until: isCurrent(period, now) ? sameTimeIn(before, period, calendar, now) : before.end };
}

/** The month or year that a range equals; otherwise the period itself. */
function namedPeriod(period: Period, calendar: Calendar): Period {
  if (period.kind !== "range") return period;
  const named = (["month", "year"] as const).map((kind) => periodAround(kind, period.first, calendar));
  return named.find(({ first, last }) => first === period.first && last === period.last) ?? period;
}

function periodBefore(period: Period, calendar: Calendar): Period {
  const { kind, first, last } = period;
  if (kind === "day") return periodAround(kind, addDays(first, -7), calendar);
  if (kind !== "range") return adjacentPeriod(period, -1, calendar);
  const shift = Math.ceil((daysBetween(first, last) + 1) / 7) * 7;
  return rangeOf(addDays(first, -shift), addDays(last, -shift), calendar);
}

/** The time in the previous period that corresponds to now. */
function sameTimeIn(before: Period, period: Period, calendar: Calendar, now: number): number {
  const { zone } = calendar;
  const date = sameDayIn(before, period, dayAt(now, calendar));
  if (date > before.last) return before.end;
  // After midnight the date is one day ahead of the current day.
  const shown = addDays(date, daysBetween(dayAt(now, calendar), dateAt(now, zone)));
  const [instant = before.end] = instantsOf(shown, clockAt(now, zone), zone);
  const rest = ((now % MINUTE) + MINUTE) % MINUTE;
  return Math.min(before.end, Math.max(before.start, instant + rest));
}

/** The corresponding day of the previous period: by position; in a year by date. */
function sameDayIn(before: Period, { kind, first }: Period, date: string): string {
  if (kind !== "year") return addDays(before.first, daysBetween(first, date));
  const same = `${before.first.slice(0, 4)}${date.slice(4)}`;
  return isDate(same) ? same : addDays(`${same.slice(0, 8)}28`, 1);
}

/** Periods around one, in order, without future ones other than itself. */
export function adjacentPeriods(period: Period, calendar: Calendar, now: number): readonly Period[] {
  const days = Math.max(1, Math.round((period.end - period.start) / DAY));
  const count = Math.min(ADJACENT.most, Math.max(ADJACENT.least, Math.floor(ADJACENT.days / days)));
  const periods = [period];
  for (let next = period; periods.length <= count / 2; periods.push(next)) {
    next = adjacentPeriod(next, 1, calendar);
    if (next.start > now) break;
  }
  for (let before = period; periods.length < count; periods.unshift(before)) {
    before = adjacentPeriod(before, -1, calendar);
  }
  return periods;
}

/**
 * Sums of the previous period for each part: hours by clock time, even across clock changes; all others by position.
 */
export function previousSums(
  parts: readonly Part[],
  before: { readonly parts: readonly Part[]; readonly times: readonly (readonly CategoryTime[])[] },
  zone: string,
): readonly number[] {
  const keys = createKeys(before.parts, zone);
  const sums = new Map(keys.map((key, index) => [key, sumSeconds(before.times[index])]));
  return createKeys(parts, zone).map((key) => sums.get(key) ?? 0);
}

function createKeys(parts: readonly Part[], zone: string): readonly string[] {
  const seen = new Map<string, number>();
  return parts.map(({ unit, start }, index) => {
    if (unit !== "hour") return String(index);
    const clock = clockAt(start, zone);
    const nth = (seen.get(clock) ?? 0) + 1;
    seen.set(clock, nth);
    return `${clock} ${nth}`;
  });
}

/** The time in a zone as `HH:MM`. */
function clockAt(instant: number, zone: string): string {
  return new Date(instant + offsetAt(instant, zone)).toISOString().slice(11, 16);
}

function daysBetween(one: string, other: string): number {
  return Math.round((Date.parse(other) - Date.parse(one)) / DAY);
}
