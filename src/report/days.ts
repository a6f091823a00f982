// The days of a period with activity.
import type { DomainOf } from "../api/codec.js";
import type { EventBatch } from "../domain/batch.js";
import { type Micros, microsToSeconds } from "../domain/time.js";
import { forEachSlice, type Steps } from "../transforms/steps.js";
import type { CalendarDay } from "./calendar.js";

const MILLIS_PER_SECOND = 1000;

/** @param windows ascending, without overlaps @param days ascending */
export function* daysOf(windows: EventBatch, days: readonly CalendarDay[]): Steps<DomainOf<"ReportDays">> {
  const { timestamps, length } = windows;
  const sums = { count: 0, first: 0, last: 0, span: 0 };
  let day = 0;
  let open: { first: Micros; last: Micros } | undefined;
  const close = (): void => {
    const { clockAt } = days[day++] as CalendarDay;
    if (open === undefined) return;
    sums.count++;
    sums.first += clockAt(open.first);
    sums.last += clockAt(open.last);
    sums.span += open.last - open.first;
    open = undefined;
  };
  yield* forEachSlice(length, (from, to) => {
    for (let at = from; at < to; at++) {
      const end = windows.endAt(at);
      for (let start = timestamps[at] as number; start < end && day < days.length; ) {
        const { start: dayStart, end: dayEnd } = days[day] as CalendarDay;
        if (start < dayEnd) {
          open ??= { first: Math.max(start, dayStart), last: start };
          open.last = Math.min(end, dayEnd);
        }
        if (end < dayEnd) break;
        start = Math.max(start, dayEnd);
        close();
      }
    }
  });
  if (open !== undefined) close();
  const { count, first, last, span } = sums;
  if (count === 0) return { count, first: null, last: null, span: null };
  return {
    count,
    first: first / count / MILLIS_PER_SECOND,
    last: last / count / MILLIS_PER_SECOND,
    span: microsToSeconds(Math.round(span / count)),
  };
}
