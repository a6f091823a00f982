// Marks of the time axis, in a time zone. Pure.
import { WEEKDAYS, type Weekday } from "../../../domain/weekday.js";
import { formatterOf } from "../../format.js";
import { addDays, dateAt, instantsOf, weekdayOf } from "../../wall-clock.js";
import type { TimeWindow } from "./scale.js";

/** A mark with its label. */
export interface Tick {
  /** Unix milliseconds. */
  readonly at: number;
  readonly label: string;
}

/** Marks, and the larger units above them. */
export interface Axis {
  readonly ticks: readonly Tick[];
  /** The first starts at or before the window's start, so that it can be labeled at the edge. */
  readonly parts: readonly Tick[];
}

type Unit = "milli" | "second" | "minute" | "hour" | "day" | "week" | "month" | "year";

interface Step {
  readonly unit: Unit;
  readonly count: number;
  /** Approximate length in milliseconds. */
  readonly length: number;
}

const LENGTHS: Readonly<Record<Unit, number>> = {
  milli: 1,
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_629_746_000,
  year: 31_556_952_000,
};

const COUNTS: Readonly<Record<Unit, readonly number[]>> = {
  milli: [10, 20, 50, 100, 200, 500],
  second: [1, 2, 5, 10, 15, 30],
  minute: [1, 2, 5, 10, 15, 30],
  hour: [1, 2, 3, 6, 12],
  day: [1],
  week: [1],
  month: [1, 3],
  year: [1, 2, 5, 10],
};

const STEPS: readonly Step[] = (Object.keys(COUNTS) as Unit[]).flatMap((unit) =>
  COUNTS[unit].map((count) => ({ unit, count, length: count * LENGTHS[unit] })),
);

/** Space for a label. */
const LABEL_PIXELS = 74;

export interface AxisOptions {
  /** In pixels. */
  readonly width: number;
  readonly zone: string;
  readonly startOfWeek: Weekday;
}

/** The marks of a window: as many as fit. */
export function axisOf(window: TimeWindow, options: AxisOptions): Axis {
  const { start, end } = window;
  const least = ((end - start) / Math.max(1, options.width)) * LABEL_PIXELS;
  const step = STEPS.find(({ length }) => length >= least) ?? (STEPS.at(-1) as Step);
  const label = labelsOf(step.unit, options.zone);
  const ticks = [...instants(step, window, options)].map((at) => ({ at, label: label(at) }));
  return { ticks, parts: partsOf(step.unit, window, options) };
}

/** The larger units above the marks: days of hours, months of days, years of months; none for years. */
function partsOf(unit: Unit, { start, end }: TimeWindow, options: AxisOptions): readonly Tick[] {
  if (unit === "year") return [];
  const whole = unit === "month" ? "year" : unit === "day" || unit === "week" ? "month" : "day";
  const before = start - 1.1 * LENGTHS[whole];
  const step = { unit: whole, count: 1, length: LENGTHS[whole] } as const;
  const label = partLabels(whole, options.zone);
  const found = [...instants(step, { start: before, end }, options)];
  const first = found.findLastIndex((at) => at <= start);
  return found.slice(Math.max(0, first)).map((at) => ({ at, label: label(at) }));
}

function* instants({ unit, count, length }: Step, { start, end }: TimeWindow, options: AxisOptions): Generator<number> {
  // UTC offsets are multiples of 15 minutes.
  if (length <= 15 * LENGTHS.minute) {
    for (let at = Math.ceil(start / length) * length; at <= end; at += length) yield at;
    return;
  }
  const seen = new Set<number>();
  for (const [date, time] of calendarTimes(unit, count, { start, end }, options)) {
    for (const at of known(date, time, options.zone)) {
      if (at < start || at > end || seen.has(at)) continue;
      seen.add(at);
      yield at;
    }
  }
}

/** Dates and times of marks, starting slightly before the window. */
function* calendarTimes(
  unit: Unit,
  count: number,
  { start, end }: TimeWindow,
  { zone, startOfWeek }: AxisOptions,
): Generator<readonly [date: string, time: string]> {
  const first = addDays(dateAt(start, zone), -1);
  const last = addDays(dateAt(end, zone), 1);
  if (unit === "month" || unit === "year") {
    const firstYear = Number(first.slice(0, 4));
    const lastYear = Number(last.slice(0, 4));
    const years = unit === "year" ? count : 1;
    for (let year = Math.floor(firstYear / years) * years; year <= lastYear; year += years) {
      if (year < 1971 || year > 2198) continue;
      for (let month = 1; month <= (unit === "year" ? 1 : 12); month += count) {
        const date = `${year}-${String(month).padStart(2, "0")}-01`;
        if (date >= first && date <= last) yield [date, "00:00"];
      }
    }
    return;
  }
  const weekStart = WEEKDAYS.indexOf(startOfWeek);
  for (let date = first; date <= last; date = addDays(date, 1)) {
    if (unit === "week" && weekdayOf(date) !== weekStart) continue;
    const minutes = unit === "day" || unit === "week" ? 24 * 60 : (count * LENGTHS[unit]) / LENGTHS.minute;
    for (let minute = 0; minute < 24 * 60; minute += minutes) yield [date, clock(minute)];
  }
}

function clock(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
}

/** A cache, since calendars are slow and frames repeat requests. */
const kept = new Map<string, readonly number[]>();

function known(date: string, time: string, zone: string): readonly number[] {
  const key = `${date} ${time} ${zone}`;
  const before = kept.get(key);
  if (before !== undefined) return before;
  const found = instantsOf(date, time, zone);
  if (kept.size > 5000) kept.clear();
  kept.set(key, found);
  return found;
}

/** Formats timestamps in a zone. */
function formatterIn(zone: string, options: Intl.DateTimeFormatOptions): (at: number) => string {
  const { format } = formatterOf({ ...options, timeZone: zone });
  return format;
}

function labelsOf(unit: Unit, zone: string): (at: number) => string {
  switch (unit) {
    case "milli":
      return formatterIn(zone, { minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });
    case "second":
      return formatterIn(zone, { timeStyle: "medium" });
    case "minute":
    case "hour":
      return formatterIn(zone, { timeStyle: "short" });
    case "day":
      return formatterIn(zone, { weekday: "short", day: "numeric" });
    case "week":
      return formatterIn(zone, { day: "numeric", month: "short" });
    case "month":
      return formatterIn(zone, { month: "short" });
    case "year":
      return formatterIn(zone, { year: "numeric" });
  }
}

function partLabels(unit: "day" | "month" | "year", zone: string): (at: number) => string {
  if (unit === "year") return formatterIn(zone, { year: "numeric" });
  if (unit === "month") return formatterIn(zone, { month: "long", year: "numeric" });
  return formatterIn(zone, { weekday: "short", day: "numeric", month: "short", year: "numeric" });
}
