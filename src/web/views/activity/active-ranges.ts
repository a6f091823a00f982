// Active times: ranges without a break of `BREAK_SECONDS`. Pure.

import { isJsonObject, type JsonValue } from "../../../domain/json.js";
import { firstWhere } from "../../../util/binary-search.js";
import { type Calendar, daysOf, type Period, periodAround } from "../../period.js";
import { dateAt, offsetAt } from "../../wall-clock.js";

/** In Unix milliseconds. */
export interface ActiveRange {
  readonly start: number;
  readonly end: number;
}

/** Summary of a period's active times. */
export interface Rhythm {
  readonly longest: ActiveRange | undefined;
  /** Days with activity. */
  readonly activeDays: number;
  /** Start and end, for several days on average, in milliseconds of the clock from midnight. */
  readonly first: number | undefined;
  readonly last: number | undefined;
}

const DAY = 86_400_000;

export function readActiveRanges(answer: JsonValue | undefined): readonly ActiveRange[] {
  if (!Array.isArray(answer)) return [];
  const events: readonly JsonValue[] = answer;
  return events.flatMap((event) => {
    if (!isJsonObject(event)) return [];
    const { timestamp, duration } = event;
    const start = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
    if (Number.isNaN(start) || typeof duration !== "number" || !(duration > 0)) return [];
    return { start, end: start + duration * 1000 };
  });
}

export function computeRhythm(stretches: readonly ActiveRange[], period: Period, calendar: Calendar): Rhythm {
  const longest = stretches.reduce<ActiveRange | undefined>(
    (most, one) => (most === undefined || one.end - one.start > most.end - most.start ? one : most),
    undefined,
  );
  const days = daysOf(period, calendar)
    .map((date) => periodAround("day", date, calendar))
    .flatMap((day) => spanOf(stretches, day, calendar) ?? []);
  const mean = (times: readonly number[]): number | undefined =>
    times.length === 0 ? undefined : times.reduce((sum, time) => sum + time, 0) / times.length;
  return {
    longest,
    activeDays: days.length,
    first: mean(days.map(({ first }) => first)),
    last: mean(days.map(({ last }) => last)),
  };
}

/** Start and end of a day's activity on the clock; after midnight it continues beyond 24 hours. */
function spanOf(
  stretches: readonly ActiveRange[],
  { first: date, start, end }: Period,
  { zone }: Calendar,
): { readonly first: number; readonly last: number } | undefined {
  const from = firstWhere(0, stretches.length, (at) => (stretches[at] as ActiveRange).end > start);
  const to = firstWhere(0, stretches.length, (at) => (stretches[at] as ActiveRange).start >= end);
  const own = stretches.slice(from, to);
  const [first] = own;
  if (first === undefined) return undefined;
  const clock = (instant: number): number =>
    Date.parse(dateAt(instant, zone)) - Date.parse(date) + ((instant + offsetAt(instant, zone)) % DAY);
  const latest = Math.max(...own.map((one) => one.end));
  return { first: clock(Math.max(start, first.start)), last: clock(Math.min(end, latest)) };
}
