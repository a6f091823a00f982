// Steps of calendars: to the period behind, and to a date. Pure.
import { type Calendar, dayAt, neighbourOf, type Period, periodAround } from "../../period.js";
import { panned, type TimeWindow } from "./scale.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export type Length = "hour" | "day" | "week" | "month" | "year";

/** Lengths that have names, in milliseconds. */
export const LENGTHS: readonly (readonly [Length, millis: number])[] = [
  ["hour", HOUR],
  ["day", DAY],
  ["week", 7 * DAY],
  ["month", 30 * DAY],
  ["year", 365 * DAY],
];

/** The name of the length of a window, if it has one: days have 23 hours, too, and months 31 days. */
export function lengthOf(window: TimeWindow, calendar: Calendar): Length | undefined {
  const length = window.end - window.start;
  return LENGTHS.find(([, millis]) => Math.abs(length / millis - 1) < 0.01)?.[0] ?? periodOf(window, calendar)?.kind;
}

/** The window behind (`1`) or before it (`-1`); half a window further where its length has no name. */
export function stepped(window: TimeWindow, direction: 1 | -1, calendar: Calendar): TimeWindow {
  const period = periodOf(window, calendar);
  if (period !== undefined) {
    return boundsOf(neighbourOf(period, direction, calendar));
  }
  const length = window.end - window.start;
  return panned(window, direction * (lengthOf(window, calendar) === undefined ? length / 2 : length));
}

/** The same window at another date: what begins at a time of the day begins then. */
export function atDate(window: TimeWindow, date: string, calendar: Calendar): TimeWindow {
  const period = periodOf(window, calendar);
  if (period?.kind === "day") return boundsOf(periodAround("day", date, calendar));
  const before = periodAround("day", dayAt(window.start, calendar), calendar).start;
  return panned(window, periodAround("day", date, calendar).start - before);
}

function boundsOf({ start, end }: TimeWindow): TimeWindow {
  return { start, end };
}

/** The day, week, month or year that a window is exactly. */
function periodOf({ start, end }: TimeWindow, calendar: Calendar): (Period & { readonly kind: Length }) | undefined {
  const date = dayAt(start, calendar);
  for (const kind of ["day", "week", "month", "year"] as const) {
    const period = periodAround(kind, date, calendar);
    if (period.start === start && period.end === end) return { ...period, kind };
  }
  return undefined;
}
