import { mustBe, shownValue } from "../errors.js";
import { invalid } from "../service/validation.js";
import { firstWhere } from "../util/binary-search.js";

/** A calendar day of a place, in Unix seconds. */
export interface LocalDay {
  /** The first second of the date there. */
  readonly start: number;
  /** The first second of the next date there. */
  readonly end: number;
  /** The first second with a local time of day, in seconds since midnight. */
  secondAt(timeOfDay: number): number;
}

const SECONDS_PER_DAY = 86_400;
/** No zone is further from UTC; some have been on either side of the date line. */
const MAX_OFFSET_SECONDS = 16 * 3600;
const FIRST_YEAR = 1970;
const LAST_YEAR = 2199;

/** Local date and time. */
interface LocalTime {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Seconds since midnight. */
  readonly timeOfDay: number;
}

/**
 * Finds the start and end of a date in a time zone. Days may have 23 or 25 hours. If clocks skip midnight, the day
 * starts after the gap.
 *
 * @throws ActivityError `INVALID_INPUT` for a date that is none or that the zone skipped, and for an unknown zone
 */
export function localDay(date: unknown, timezone: unknown): LocalDay {
  const midnight = utcMidnight(date);
  const at = createLocalClock(timezone);
  const findFirstSecond = (day: string, nominal: number): number =>
    firstWhere(nominal - MAX_OFFSET_SECONDS, nominal + MAX_OFFSET_SECONDS, (second) => at(second).date >= day);
  const next = midnight + SECONDS_PER_DAY;
  const start = findFirstSecond(dateOf(midnight), midnight);
  const end = findFirstSecond(dateOf(next), next);
  if (start === end) throw invalid(`date must be a day that ${shownValue(timezone)} had, got '${date}'`);
  return {
    start,
    end,
    secondAt: (timeOfDay) => firstWhere(start, end - 1, (second) => at(second).timeOfDay >= timeOfDay),
  };
}

/** Unix seconds of a date's midnight in UTC. */
function utcMidnight(date: unknown): number {
  const isDate = typeof date === "string" && /^\d{4}-\d\d-\d\d$/.test(date);
  const millis = isDate ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // An impossible day either is no time or becomes a day of the next month, depending on the engine.
  const year = isDate && dateOf(millis / 1000) === date ? Number(date.slice(0, 4)) : 0;
  if (year >= FIRST_YEAR && year <= LAST_YEAR) return millis / 1000;
  throw mustBe("date", `a date like '2024-03-01', from ${FIRST_YEAR} to ${LAST_YEAR}`, date);
}

function dateOf(second: number): string {
  return Number.isNaN(second) ? "" : new Date(second * 1000).toISOString().slice(0, 10);
}

/** Creates a clock that converts Unix seconds to the local time of a zone. */
function createLocalClock(timezone: unknown): (second: number) => LocalTime {
  if (timezone === "UTC") {
    return (second) => ({ date: dateOf(second), timeOfDay: second - Math.floor(second / SECONDS_PER_DAY) * 86_400 });
  }
  const format = createTimeFormat(timezone);
  return (second) => {
    const parts = new Map(format.formatToParts(second * 1000).map(({ type, value }) => [type, value]));
    const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? "";
    return {
      date: `${part("year")}-${part("month")}-${part("day")}`,
      timeOfDay: Number(part("hour")) * 3600 + Number(part("minute")) * 60 + Number(part("second")),
    };
  };
}

function createTimeFormat(timezone: unknown): Intl.DateTimeFormat {
  const twoDigits = "2-digit";
  try {
    return new Intl.DateTimeFormat("en-US", {
      // Anything but a text would be turned into one, or into the zone of the machine.
      timeZone: typeof timezone === "string" ? timezone : "none",
      hourCycle: "h23",
      year: "numeric",
      month: twoDigits,
      day: twoDigits,
      hour: twoDigits,
      minute: twoDigits,
      second: twoDigits,
    });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw mustBe("timezone", "the name of a time zone like 'Europe/Berlin'", timezone);
  }
}
