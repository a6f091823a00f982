// Days, weeks, months and years of a time zone, in which days may start at another time than midnight.
import { MICROS_PER_MILLI, type Micros } from "../domain/time.js";
import { WEEKDAYS, type Weekday } from "../domain/weekday.js";
import type { Steps } from "../transforms/steps.js";
import { offsetsOf } from "./zone.js";

/** Defines the start of days and weeks. */
export interface CalendarOptions {
  /** A name of the IANA database. */
  readonly zone: string;
  /** `HH:MM` */
  readonly dayStart: string;
  readonly weekStart: Weekday;
}

/** Kinds of periods. */
export type PeriodKind = "day" | "week" | "month" | "year" | "range";
/** Lengths of bins. */
export type BinUnit = "hour" | "day" | "week" | "month";

/** A range of whole days. */
export interface Period {
  readonly kind: PeriodKind;
  /** First day, `YYYY-MM-DD`. */
  readonly first: string;
  readonly last: string;
  readonly start: Micros;
  /** The start of the day after the last one. */
  readonly end: Micros;
}

/** A day of a period. */
export interface CalendarDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly start: Micros;
  readonly end: Micros;
  /** The time on clocks from the midnight of its date; more than 24 hours after the next midnight. */
  clockAt(micros: Micros): Micros;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const FIRST_DATE = "1970-01-02";
const LAST_DATE = "2199-12-30";

/** Whether a string is a date like `2024-03-01`, from 1970 to 2199. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < FIRST_DATE || text > LAST_DATE) return false;
  const millis = Date.parse(text);
  // Impossible days are invalid or become a day of the next month.
  return !Number.isNaN(millis) && dateOf(millis) === text;
}

/** A date some days later. */
export function addDays(date: string, days: number): string {
  return dateOf(Date.parse(date) + days * DAY);
}

/** The number of days from one date to another. */
export function daysBetween(one: string, other: string): number {
  return Math.round((Date.parse(other) - Date.parse(one)) / DAY);
}

function dateOf(millis: number): string {
  return new Date(millis).toISOString().slice(0, 10);
}

/** A calendar. Times inside are Unix milliseconds. */
export class Calendar {
  readonly #offsetAt: (millis: number) => number;
  readonly #dayStart: number;
  readonly #firstWeekday: number;

  /** @throws ActivityError `INVALID_INPUT` for an unknown zone */
  constructor({ zone, dayStart, weekStart }: CalendarOptions) {
    const offsets = zone === "UTC" ? undefined : offsetsOf(zone);
    this.#offsetAt = (millis) => offsets?.at(millis) ?? 0;
    this.#dayStart = Number(dayStart.slice(0, 2)) * HOUR + Number(dayStart.slice(3)) * MINUTE;
    this.#firstWeekday = WEEKDAYS.indexOf(weekStart);
  }

  /** The day of a timestamp; before the start of the day, it is the previous date. */
  dayAt(micros: Micros): string {
    const millis = Math.floor(micros / MICROS_PER_MILLI);
    const date = dateOf(this.#shownAt(millis));
    return millis < this.#startOf(date) ? this.#existing(addDays(date, -1), -1) : date;
  }

  /** The period of a kind that contains a day. */
  around(kind: Exclude<PeriodKind, "range">, date: string): Period {
    if (kind === "week") {
      const first = addDays(date, -((new Date(date).getUTCDay() - this.#firstWeekday + 7) % 7));
      return this.#from(kind, first, addDays(first, 6));
    }
    if (kind === "month") {
      const next = addDays(`${date.slice(0, 7)}-28`, 4);
      return this.#from(kind, `${date.slice(0, 7)}-01`, addDays(`${next.slice(0, 7)}-01`, -1));
    }
    if (kind === "year") return this.#from(kind, `${date.slice(0, 4)}-01-01`, `${date.slice(0, 4)}-12-31`);
    return this.#from(kind, date, date);
  }

  range(first: string, last: string): Period {
    return this.#from("range", first, last);
  }

  /**
   * The period to compare with: for a day the same weekday of the previous week, for a range as many whole weeks
   * earlier as it spans, otherwise the previous one. A current period is compared up to the same day and time.
   */
  before(period: Period, now: Micros): Period {
    const before = this.#before(period);
    const isCurrent = period.start <= now && now < period.end;
    return isCurrent ? { ...before, end: this.#sameTimeIn(before, period, now) } : before;
  }

  #before({ kind, first, last }: Period): Period {
    if (kind === "day") return this.around(kind, addDays(first, -7));
    if (kind !== "range") return this.around(kind, this.#existing(addDays(first, -1), -1));
    const shift = Math.ceil((daysBetween(first, last) + 1) / 7) * 7;
    return this.range(addDays(first, -shift), addDays(last, -shift));
  }

  #sameTimeIn(before: Period, { kind, first }: Period, now: Micros): Micros {
    const today = this.dayAt(now);
    let date = addDays(before.first, daysBetween(first, today));
    if (kind === "year") {
      const same = before.first.slice(0, 4) + today.slice(4);
      date = isDate(same) ? same : addDays(`${same.slice(0, 8)}28`, 1);
    }
    if (date > before.last) return before.end;
    const millis = Math.floor(now / MICROS_PER_MILLI);
    const shown = this.#shownAt(millis);
    // After midnight the date is one day ahead of the current day.
    const shownDate = addDays(date, daysBetween(today, dateOf(shown)));
    const [instant = 0] = this.#instantsOf(Date.parse(shownDate) + (((shown % DAY) + DAY) % DAY));
    return Math.min(before.end, Math.max(before.start, instant * MICROS_PER_MILLI + (now % MICROS_PER_MILLI)));
  }

  /** The days of a period, and the clock on each. */
  *days({ first, last, end }: Period): Steps<CalendarDay[]> {
    const days: CalendarDay[] = [];
    for (let date = first; date <= last; date = addDays(date, 1)) {
      yield;
      const dayEnd = Math.min(end, this.#startOf(addDays(date, 1)) * MICROS_PER_MILLI);
      const midnight = Date.parse(date);
      const clockAt = (micros: Micros) =>
        micros + (this.#offsetAt(Math.floor(micros / MICROS_PER_MILLI)) - midnight) * MICROS_PER_MILLI;
      days.push({ date, start: this.#startOf(date) * MICROS_PER_MILLI, end: dayEnd, clockAt });
    }
    return days;
  }

  /** The borders of a period's bins, ascending, with both ends. Bins of hours follow the clock. */
  *borders({ first, last, start, end }: Period, unit: BinUnit): Steps<number[]> {
    const borders = new Set([start]);
    for (let date = first; date <= last; date = addDays(date, 1)) {
      if (unit === "week" && new Date(date).getUTCDay() !== this.#firstWeekday) continue;
      if (unit === "month" && !date.endsWith("-01")) continue;
      yield;
      const at = this.#startOf(date);
      if (unit === "hour") for (const each of this.#hoursFrom(date, at)) borders.add(each * MICROS_PER_MILLI);
      else borders.add(at * MICROS_PER_MILLI);
    }
    borders.add(end);
    return [...borders].filter((at) => at >= start && at <= end).sort((a, b) => a - b);
  }

  /** The hours of a day as clocks show them. Repeated hours appear twice. */
  #hoursFrom(date: string, start: number): readonly number[] {
    const end = this.#startOf(addDays(date, 1));
    const all = [start];
    if (end - start === DAY && this.#offsetAt(start) === this.#offsetAt(end)) {
      for (let at = start + HOUR; at < end; at += HOUR) all.push(at);
      return all;
    }
    const minute = this.#dayStart % HOUR;
    for (let at = Date.parse(date) + minute; at < Date.parse(date) + 2 * DAY; at += HOUR) {
      all.push(...this.#instantsOf(at).filter((instant) => instant > start && instant < end));
    }
    return all;
  }

  #from(kind: PeriodKind, first: string, last: string): Period {
    const start = this.#startOf(first) * MICROS_PER_MILLI;
    return { kind, first, last, start, end: this.#startOf(addDays(last, 1)) * MICROS_PER_MILLI };
  }

  /** The start of a day. A day that the zone skipped starts with the next one and is empty. */
  #startOf(date: string): number {
    return Math.min(...this.#instantsOf(Date.parse(this.#existing(date, 1)) + this.#dayStart));
  }

  /** Samoa skipped 2011-12-30. */
  #existing(date: string, direction: 1 | -1): string {
    const noon = Math.min(...this.#instantsOf(Date.parse(date) + DAY / 2));
    return dateOf(this.#shownAt(noon)) === date ? date : addDays(date, direction);
  }

  /** The timestamps at which clocks show a time, given as if it were UTC; the one after the gap if it is skipped. */
  #instantsOf(wanted: number): readonly number[] {
    const candidates = [wanted - this.#offsetAt(wanted - DAY), wanted - this.#offsetAt(wanted + DAY)];
    const found = new Set(candidates.filter((instant) => this.#shownAt(instant) === wanted));
    if (found.size > 0) return [...found].sort((a, b) => a - b);
    let before = Math.min(...candidates);
    let after = Math.max(...candidates);
    while (after - before > 1000) {
      const middle = Math.floor((before + after) / 2000) * 1000;
      if (this.#shownAt(middle) >= wanted) after = middle;
      else before = middle;
    }
    return [after];
  }

  /** The local time, as the milliseconds at which UTC shows the same. */
  #shownAt(millis: number): number {
    return millis + this.#offsetAt(millis);
  }
}
