// Calendar steps: to the next period, and to a date. Pure.
import { adjacentPeriod, type Calendar, dayAt, type Period, periodAround } from "../../period.js";
import { panned, type TimeWindow } from "./scale.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export type Length = "hour" | "day" | "week" | "month" | "year";

/** Named lengths, in milliseconds. */
export const LENGTHS: readonly (readonly [Length, millis: number])[] = [
  ["hour", HOUR],
  ["day", DAY],
  ["week", 7 * DAY],
  ["month", 30 * DAY],
  ["year", 365 * DAY],
];

/** The name of a window's length, if it has one: days may have 23 hours, and months 31 days. */
export function lengthOf(window: TimeWindow, calendar: Calendar): Length | undefined {
  const length = window.end - window.start;
  return LENGTHS.find(([, millis]) => Math.abs(length / millis - 1) < 0.01)?.[0] ?? periodOf(window, calendar)?.kind;
}

/** The next (`1`) or previous (`-1`) window; half a window further if its length has no name. */
export function stepWindow(window: TimeWindow, direction: 1 | -1, calendar: Calendar): TimeWindow {
  const period = periodOf(window, calendar);
  if (period !== undefined) {
    return boundsOf(adjacentPeriod(period, direction, calendar));
  }
  const length = window.end - window.start;
  return panned(window, direction * (lengthOf(window, calendar) === undefined ? length / 2 : length));
}

/** The window moved to another date, with the same start time. */
export function atDate(window: TimeWindow, date: string, calendar: Calendar): TimeWindow {
  const period = periodOf(window, calendar);
  if (period?.kind === "day") return boundsOf(periodAround("day", date, calendar));
  const before = periodAround("day", dayAt(window.start, calendar), calendar).start;
  return panned(window, periodAround("day", date, calendar).start - before);
}

function boundsOf({ start, end }: TimeWindow): TimeWindow {
  return { start, end };
}

/** The day, week, month or year that a window equals. */
function periodOf({ start, end }: TimeWindow, calendar: Calendar): (Period & { readonly kind: Length }) | undefined {
  const date = dayAt(start, calendar);
  for (const kind of ["day", "week", "month", "year"] as const) {
    const period = periodAround(kind, date, calendar);
    if (period.start === start && period.end === end) return { ...period, kind };
  }
  return undefined;
}
