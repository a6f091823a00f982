// The days of a period with activity.
import type { DomainOf } from "../api/codec.js";
import { type Micros, microsToSeconds } from "../domain/time.js";
import type { CalendarDay } from "./calendar.js";
import { lengthAt, type Ranges } from "./ranges.js";

/** @param ranges the first and the last moment of each day with activity @param days ascending */
export function daysOf(ranges: Ranges, days: readonly CalendarDay[]): DomainOf<"ReportDays"> {
  const count = ranges.length / 2;
  if (count === 0) return { count, first: null, last: null, span: null };
  const sums = { first: 0, last: 0, span: 0 };
  let day = 0;
  for (let at = 0; at < ranges.length; at += 2) {
    const [first, last] = [ranges[at] as number, ranges[at + 1] as number];
    while (day < days.length - 1 && (days[day] as CalendarDay).end <= first) day++;
    const { clockAt } = days[day] as CalendarDay;
    sums.first += clockAt(first);
    sums.last += clockAt(last);
    sums.span += lengthAt(ranges, at);
  }
  const average = (sum: Micros): number => microsToSeconds(Math.round(sum / count));
  return { count, first: average(sums.first), last: average(sums.last), span: average(sums.span) };
}
