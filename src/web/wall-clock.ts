// Calendars and clocks of time zones, from the browser's data. Pure.

const DAY = 86_400_000;
const FIRST_DATE = "1970-01-02";
const LAST_DATE = "2199-12-30";

const formats = new Map<string, Intl.DateTimeFormat>();

/** Whether a string is a date like `2026-11-21`, from 1970 to 2199. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < FIRST_DATE || text > LAST_DATE) return false;
  const instant = Date.parse(text);
  // Impossible days are invalid or become a day of the next month.
  return !Number.isNaN(instant) && dateOfMillis(instant) === text;
}

/** A date some days later. */
export function addDays(date: string, days: number): string {
  return dateOfMillis(Date.parse(date) + days * DAY);
}

/** All dates in a range, including both ends. */
export function datesBetween(first: string, last: string): readonly string[] {
  const dates: string[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) dates.push(date);
  return dates;
}

/** Day of the week; Sunday is 0. */
export function weekdayOf(date: string): number {
  return new Date(date).getUTCDay();
}

/** The date in a zone at a timestamp in Unix milliseconds. */
export function dateAt(instant: number, zone: string): string {
  return dateOfMillis(shownAt(instant, zone));
}

/** The time in a zone at a timestamp: `17:05`. */
export function timeAt(instant: number, zone: string): string {
  return new Date(shownAt(instant, zone)).toISOString().slice(11, 16);
}

/** Whether a date exists in a zone; Samoa skipped 2011-12-30. */
export function hasDate(date: string, zone: string): boolean {
  return dateAt(firstInstantOf(date, "12:00", zone), zone) === date;
}

/**
 * Timestamps at which clocks of a zone show `HH:MM`, in ascending Unix milliseconds: two if the time is repeated; the
 * one after the gap if it is skipped.
 */
export function instantsOf(date: string, time: string, zone: string): readonly number[] {
  const wanted = Date.parse(`${date}T${time}:00Z`);
  const offsets = new Set([offsetAt(wanted - DAY, zone), offsetAt(wanted + DAY, zone)]);
  const candidates = [...offsets].map((offset) => wanted - offset);
  const found = candidates.filter((instant) => shownAt(instant, zone) === wanted);
  if (found.length > 0) return found.sort((a, b) => a - b);
  return [firstShowing(wanted, Math.min(...candidates), Math.max(...candidates), zone)];
}

function firstInstantOf(date: string, time: string, zone: string): number {
  return Math.min(...instantsOf(date, time, zone));
}

/** The first timestamp after `low` and up to `high` at which clocks show this time or a later one. */
function firstShowing(wanted: number, low: number, high: number, zone: string): number {
  let before = low;
  let behind = high;
  while (behind - before > 1000) {
    const middle = Math.floor((before + behind) / 2000) * 1000;
    if (shownAt(middle, zone) >= wanted) behind = middle;
    else before = middle;
  }
  return behind;
}

/** UTC offset of a zone at a timestamp; both in milliseconds. */
export function offsetAt(instant: number, zone: string): number {
  return shownAt(instant, zone) - instant;
}

/** The local time in a zone, as the timestamp at which UTC shows the same. */
function shownAt(instant: number, zone: string): number {
  if (zone === "UTC") return instant;
  const fields = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const field = (name: Intl.DateTimeFormatPartTypes): number => fields.get(name) ?? 0;
  const seconds = Date.UTC(
    field("year"),
    field("month") - 1,
    field("day"),
    field("hour"),
    field("minute"),
    field("second"),
  );
  return seconds + (((instant % 1000) + 1000) % 1000);
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const numeric = "numeric";
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
  formats.set(zone, format);
  return format;
}

function dateOfMillis(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
