// Periods and their parts in words, in the locale of the browser. Dates have no zone here; instants have one. Pure.
import type { Part, Period } from "../../period.js";

const DATE = { timeZone: "UTC" } as const;
const LONG = { ...DATE, weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
const DAY = { ...DATE, weekday: "short", day: "numeric", month: "short" } as const;
const SHORT = { ...DATE, day: "numeric", month: "short", year: "numeric" } as const;

/** `Saturday, November 21, 2026`, or short `Sat, Nov 21`; `Nov 16 – 22, 2026`, `November 2026`, `2026`. */
export function titleOf({ kind, first, last }: Period, isShort = false): string {
  if (kind === "month") return format(first, { ...DATE, month: "long", year: "numeric" });
  if (kind === "year") return format(first, { ...DATE, year: "numeric" });
  if (first === last) return format(first, isShort ? DAY : LONG);
  return formatOf(SHORT).formatRange(new Date(first), new Date(last));
}

/** Under a small bar: `21`, `Nov`, `16/11`. */
export function shortNameOf({ kind, first }: Period): string {
  if (kind === "month") return format(first, { ...DATE, month: "short" });
  if (kind === "day") return format(first, { ...DATE, day: "numeric" });
  if (kind === "year") return format(first, { ...DATE, year: "numeric" });
  return format(first, { ...DATE, day: "numeric", month: "short" });
}

/** `Sat`. */
export function weekdayOf({ first }: Period): string {
  return format(first, { ...DATE, weekday: "short" });
}

/** Under a bar: as short as it can be. */
export function markOf(part: Part, zone: string, isWeek: boolean): string {
  switch (part.unit) {
    case "hour":
      return format(part.start, { timeZone: zone, hour: "numeric" });
    case "day":
      return format(part.date, isWeek ? { ...DATE, weekday: "short" } : { ...DATE, day: "numeric" });
    case "week":
      return format(part.date, { ...DATE, day: "numeric", month: "short" });
    case "month":
      return format(part.date, { ...DATE, month: "short", year: "2-digit" });
    default:
      return format(part.date, { ...DATE, year: "numeric" });
  }
}

/** A part by its full name: `10:00 – 11:00`, `Saturday, November 21, 2026`, `Week from Nov 16, 2026`. */
export function nameOf(part: Part, zone: string): string {
  switch (part.unit) {
    case "hour": {
      const time = formatOf({ timeZone: zone, hour: "2-digit", minute: "2-digit" });
      return `${time.format(part.start)} – ${time.format(part.end)}`;
    }
    case "day":
      return format(part.date, LONG);
    case "week":
      return `Week from ${format(part.date, SHORT)}`;
    case "month":
      return format(part.date, { ...DATE, month: "long", year: "numeric" });
    default:
      return format(part.date, { ...DATE, year: "numeric" });
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(when: string | number, options: Intl.DateTimeFormatOptions): string {
  return formatOf(options).format(new Date(when));
}

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify(options);
  const format = formats.get(name) ?? new Intl.DateTimeFormat(undefined, options);
  formats.set(name, format);
  return format;
}
