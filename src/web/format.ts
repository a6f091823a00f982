// Formats durations and times in the page's language and region.
import { common } from "./texts/common.js";
import { direction, locale } from "./texts/language.js";

/** A timestamp in Unix milliseconds, as a date, or in API format. */
export type Moment = number | Date | string;

const MINUTE = 60;
const HOUR = 3600;

/**
 * Formats a duration: `3h 05m`, `12m 30s`, `8s`, `<1s`, rounded to the displayed units. Negative ones start with a
 * minus.
 */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return "–";
  if (seconds < 0) return `−${formatDuration(-seconds)}`;
  if (seconds > 0 && seconds < 1) return common("seconds", { seconds: "<1" });
  const whole = Math.round(seconds);
  if (whole < MINUTE) return common("seconds", { seconds: whole });
  const [minutes, rest] = [Math.floor(whole / MINUTE), whole % MINUTE];
  if (whole < HOUR) return common("minutesSeconds", { minutes, seconds: twoDigits(rest) });
  const all = Math.round(seconds / MINUTE);
  return common("hoursMinutes", { hours: Math.floor(all / 60), minutes: twoDigits(all % 60) });
}

/** Formats a duration without seconds next to minutes: `3h 05m`, `12m`, `8s`. */
export function formatRough(seconds: number): string {
  if (seconds < 0) return `−${formatRough(-seconds)}`;
  if (!(Math.round(seconds) >= MINUTE)) return formatDuration(seconds);
  const minutes = Math.round(seconds / MINUTE);
  return minutes < 60 ? common("minutes", { minutes }) : formatDuration(minutes * MINUTE);
}

function twoDigits(count: number): string {
  return String(count).padStart(2, "0");
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** A cached formatter for dates and times, since creating one is slow. */
export function formatterOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${locale.value} ${JSON.stringify(options)}`;
  const formatter = formats.get(name) ?? new Intl.DateTimeFormat(locale.value, options);
  formats.set(name, formatter);
  return formatter;
}

function format(moment: Moment, zone: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? "–" : formatterOf({ ...options, timeZone: zone }).format(date);
}

/** Formats a time for the language: `9:05 AM`, `09:05`, or with seconds `9:05:09 AM`. */
export function formatTime(moment: Moment, zone: string, withSeconds = false): string {
  return format(moment, zone, { timeStyle: withSeconds ? "medium" : "short" });
}

/** `Fri, Mar 1, 2024`. */
export function formatDate(moment: Moment, zone: string): string {
  return format(moment, zone, { weekday: "short", year: "numeric", month: "short", day: "numeric" });
}

/** `Mar 1, 2024, 10:05:09`, or with milliseconds `Mar 1, 2024, 10:05:09.250`. */
export function formatMoment(moment: Moment, zone: string, withMillis = false): string {
  if (!withMillis) return format(moment, zone, { dateStyle: "medium", timeStyle: "medium" });
  const day = { year: "numeric", month: "short", day: "numeric" } as const;
  return format(moment, zone, {
    ...day,
    ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 },
  });
}

/** The end of a range; omits the date if both are on the same day: `11:05:09`. */
export function formatEnd(start: Moment, end: Moment, zone: string): string {
  return formatDate(start, zone) === formatDate(end, zone) ? formatTime(end, zone, true) : formatMoment(end, zone);
}

/** Formats an age in seconds: `3 minutes ago`. Less than a minute in the future is now. */
export function formatAge(seconds: number): string {
  const format = new Intl.RelativeTimeFormat(locale.value, { numeric: "auto" });
  const told = (count: number, unit: "minute" | "hour" | "day"): string =>
    // Hebrew spells out one and adds the number after it.
    format.format(-Math.trunc(count), unit).replace(" (1)", "");
  if (Math.abs(seconds) < MINUTE) return format.format(0, "second");
  if (Math.abs(seconds) < HOUR) return told(seconds / MINUTE, "minute");
  if (Math.abs(seconds) < 24 * HOUR) return told(seconds / HOUR, "hour");
  return told(seconds / (24 * HOUR), "day");
}

/** `1,234`. */
export function formatCount(count: number): string {
  return count.toLocaleString(locale.value);
}

/** `4.2 MB`. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** step;
  const maximumFractionDigits = step === 0 || value >= 100 ? 0 : 1;
  const text = `${value.toLocaleString(locale.value, { maximumFractionDigits })} ${units[step]}`;
  return direction.value === "rtl" ? `\u2066${text}\u2069` : text;
}

/** Formats a percentage: `12%`; `<0.1%` instead of rounding to zero. */
export function formatShare(part: number, whole: number): string {
  const share = whole > 0 ? part / whole : 0;
  if (share > 0 && share < 0.0005) return `<${percent(0.001)}`;
  return percent(share);
}

function percent(share: number): string {
  return share.toLocaleString(locale.value, { style: "percent", maximumFractionDigits: share < 0.1 ? 1 : 0 });
}

/** Cuts a string to a maximum length. */
export function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}
