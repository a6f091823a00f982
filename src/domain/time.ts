/**
 * A timestamp since 1970-01-01 UTC or a duration, in integer microseconds. Doubles are exact up to the year 2255;
 * `Date` would lose the last three digits.
 */
export type Micros = number;

declare const epoch: unique symbol;

/**
 * A timestamp in whole microseconds since 1970-01-01 UTC that is known to be one: from a result of the server, or from
 * `micros(date)`. A bare number does not fit where an app passes a timestamp: `Date.now()` returns milliseconds.
 */
export type TimestampMicros = Micros & { readonly [epoch]: "microseconds since 1970" };

/**
 * A timestamp that an app passes: a `Date`, a string in a format of docs/reference/api.md#timestamps, or microseconds.
 */
export type TimeInput = Date | string | TimestampMicros;

/**
 * A duration with its unit: `"500ms"`, `"60s"`, `"5m"`, `"1.5h"`, or `{ seconds }`, or integer `{ micros }`. A number
 * other than 0 is rejected, since its unit is unclear: the client and the REST API use seconds, in-process events use
 * microseconds.
 */
export type DurationInput =
  | `${number}${"ms" | "s" | "m" | "h"}`
  | { readonly seconds: number }
  | { readonly micros: number }
  | 0;

declare const unit: unique symbol;

/**
 * A duration that is known to be in microseconds: from a stored event or from `secondsToMicros`. The public API does
 * not accept a plain number, since `60` could mean seconds.
 */
export type DurationMicros = Micros & { readonly [unit]: "microseconds" };

export const MICROS_PER_SECOND = 1_000_000;
export const MICROS_PER_MILLI = 1_000;
export const SECONDS_PER_DAY = 86_400;

/** The current time, of a clock in Unix milliseconds. */
export function currentMicros(clock: () => number): Micros {
  return Math.floor(clock() * MICROS_PER_MILLI);
}

/** `currentMicros` that differs at each call, for records that are listed by time: a millisecond has room for many. */
export function distinctMicros(clock: () => number): () => Micros {
  let last: Micros = Number.NEGATIVE_INFINITY;
  return () => {
    const now = currentMicros(clock);
    const isSameMilli = Math.floor(last / MICROS_PER_MILLI) === Math.floor(now / MICROS_PER_MILLI);
    last = isSameMilli ? Math.max(last + 1, now) : now;
    return last;
  };
}

/** First accepted timestamp: 1700-01-01T00:00:00 UTC (docs/reference/api.md#timestamps). */
export const EARLIEST: Micros = -8_520_336_000_000_000;
/** End of the accepted range: 2250-01-01T00:00:00 UTC. */
export const LATEST: Micros = 8_835_955_200_000_000;

const ZERO = 48;

/**
 * Parses a timestamp in a format of docs/reference/api.md#timestamps: a date, or date and time with optional seconds,
 * fraction and zone, extended or basic. The default zone is UTC; digits beyond microseconds are truncated.
 *
 * @returns microseconds; `undefined` if the string has another format, names an impossible date, or is outside the
 * years 1700 to 2249
 */
export function parseTimestamp(text: string): Micros | undefined {
  const micros = parseCommonForm(text) ?? parseAnyForm(text);
  return micros !== undefined && micros >= EARLIEST && micros < LATEST ? micros : undefined;
}

/**
 * Fast path for `YYYY-MM-DDTHH:MM:SS[.digits](Z|+00:00)`, which every client sends. Other formats are left to
 * `parseAnyForm`.
 */
function parseCommonForm(text: string): Micros | undefined {
  const length = text.length;
  if (length < 20 || length > 40) return undefined;
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45 || text.charCodeAt(10) !== 84) return undefined;
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return undefined;
  let end = length - 1;
  if (text.charCodeAt(end) !== 90) {
    end = length - 6;
    if (end < 19 || !text.endsWith("+00:00")) return undefined;
  }
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const seconds = secondsOf(
    year,
    twoDigits(text, 5),
    twoDigits(text, 8),
    twoDigits(text, 11),
    twoDigits(text, 14),
    twoDigits(text, 17),
  );
  if (seconds === undefined) return undefined;
  if (end === 19) return seconds * MICROS_PER_SECOND;
  if (text.charCodeAt(19) !== 46 || end === 20) return undefined;
  let micros = 0;
  let weight = 100_000;
  for (let index = 20; index < end; index++) {
    const digit = text.charCodeAt(index) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    micros += digit * weight;
    weight = weight > 1 ? weight / 10 : 0;
  }
  return seconds * MICROS_PER_SECOND + micros;
}

const TIME_EXTENDED = "(\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d+))?)?";
const TIME_BASIC = "(\\d\\d)(\\d\\d)(?:(\\d\\d)(?:[.,](\\d+))?)?";
const ZONE = "([Zz]|[+-]\\d\\d(?::?\\d\\d)?)?";
const EXTENDED = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)(?:[Tt ]${TIME_EXTENDED}${ZONE})?$`);
const BASIC = new RegExp(`^(\\d{4})(\\d\\d)(\\d\\d)T${TIME_BASIC}${ZONE}$`);

function parseAnyForm(text: string): Micros | undefined {
  const match = EXTENDED.exec(text) ?? BASIC.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const seconds = secondsOf(
    Number(year),
    Number(month),
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
  );
  const offset = zoneSeconds(zone);
  if (seconds === undefined || offset === undefined) return undefined;
  return (seconds - offset) * MICROS_PER_SECOND + Number((fraction ?? "").slice(0, 6).padEnd(6, "0"));
}

function zoneSeconds(zone: string | undefined): number | undefined {
  if (zone === undefined || zone === "Z" || zone === "z") return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(":", ""));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone[0] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60);
}

function twoDigits(text: string, at: number): number {
  const high = text.charCodeAt(at) - ZERO;
  const low = text.charCodeAt(at + 1) - ZERO;
  return high < 0 || high > 9 || low < 0 || low > 9 ? Number.NaN : high * 10 + low;
}

/** Seconds since 1970; `undefined` if a part is out of range or not a number. */
function secondsOf(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  const inRange = month >= 1 && month <= 12 && day >= 1 && hour <= 23 && minute <= 59 && second <= 59 && year >= 0;
  if (!inRange || day > daysInMonth(year, month)) return undefined;
  return daysSince1970(year, month, day) * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second;
}

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysInMonth(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (MONTH_DAYS[month - 1] as number);
}

/** Days of the proleptic Gregorian calendar. Years start in March, so that the leap day comes last. */
function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  return shifted * 365 + leapDays + dayOfYear - 719_468;
}

const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, "0"));

/** Formats a day since 1970-01-01 as the start of a timestamp: `YYYY-MM-DDT`. */
export function serializeDate(day: number): string {
  return new Date(day * SECONDS_PER_DAY * 1000).toISOString().slice(0, 11);
}

/** The last formatted day: responses contain thousands of timestamps on a few days. */
let serializedDay = Number.NaN;
let serializedDate = "";

/**
 * Formats a timestamp for responses: `YYYY-MM-DDTHH:MM:SS[.ffffff]+00:00`, without the fraction if it is zero
 * (docs/reference/api.md#timestamps).
 */
export function serializeTimestamp(micros: Micros): string {
  const seconds = Math.floor(micros / MICROS_PER_SECOND);
  const fraction = micros - seconds * MICROS_PER_SECOND;
  const day = Math.floor(seconds / SECONDS_PER_DAY);
  if (day !== serializedDay) {
    serializedDate = serializeDate(day);
    serializedDay = day;
  }
  const ofDay = seconds - day * SECONDS_PER_DAY;
  const hour = Math.floor(ofDay / 3600);
  const minute = Math.floor(ofDay / 60) % 60;
  const time = `${serializedDate}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[ofDay % 60]}`;
  return fraction === 0 ? `${time}+00:00` : `${time}.${String(fraction).padStart(6, "0")}+00:00`;
}

/** Converts seconds, as in JSON and query strings, to the nearest microsecond. */
export function secondsToMicros(seconds: number): DurationMicros {
  // `+ 0` normalizes -0 to 0.
  return (Math.round(seconds * MICROS_PER_SECOND) + 0) as DurationMicros;
}

/** Converts microseconds to a number of seconds, for responses. */
export function microsToSeconds(micros: Micros): number {
  return micros / MICROS_PER_SECOND;
}
