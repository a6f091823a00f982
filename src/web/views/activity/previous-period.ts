// The period to compare with. Pure.
import { adjacentPeriod, type Calendar, type Part, type Period, periodAround, rangeOf } from "../../period.js";
import { addDays, offsetAt } from "../../wall-clock.js";
import { type Bars, sumSeconds } from "./bars.js";

const DAY = 86_400_000;
/** Number of neighbors, limited by their total length in days. */
const ADJACENT = { most: 15, least: 3, days: 420 } as const;

/**
 * The period that reports compare with: for a day the same weekday of the previous week, for a range as many whole
 * weeks earlier as it spans, otherwise the previous period.
 */
export function previousPeriod(period: Period, calendar: Calendar): Period {
  const { kind, first, last } = period;
  if (kind === "day") return periodAround(kind, addDays(first, -7), calendar);
  if (kind !== "range") return adjacentPeriod(period, -1, calendar);
  const shift = Math.ceil((daysBetween(first, last) + 1) / 7) * 7;
  return rangeOf(addDays(first, -shift), addDays(last, -shift), calendar);
}

/** The month or year that a range equals; otherwise the period itself. */
export function namedPeriod(period: Period, calendar: Calendar): Period {
  if (period.kind !== "range") return period;
  const named = (["month", "year"] as const).map((kind) => periodAround(kind, period.first, calendar));
  return named.find(({ first, last }) => first === period.first && last === period.last) ?? period;
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
export function previousSums(parts: readonly Part[], before: Bars, zone: string): readonly number[] {
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
