// Formats periods, their parts and hosts. Dates have no zone here; timestamps have one.

import { isUnknownHost } from "../../../domain/unknown-host.js";
import { formatTime, formatterOf } from "../../format.js";
import type { Part, Period } from "../../period.js";
import { t } from "../../texts/period.js";

const DATE = { timeZone: "UTC" } as const;
const LONG = { ...DATE, weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
const DAY = { ...DATE, weekday: "short", day: "numeric", month: "short" } as const;
const SHORT = { ...DATE, day: "numeric", month: "short", year: "numeric" } as const;

/** `Saturday, November 21, 2026`, or short `Sat, Nov 21`; `Nov 16 – 22, 2026`, `November 2026`, `2026`. */
export function titleOf({ kind, first, last }: Period, isShort = false): string {
  if (kind === "month") return formatDatePart(first, { ...DATE, month: "long", year: "numeric" });
  if (kind === "year") return formatDatePart(first, { ...DATE, year: "numeric" });
  if (first === last) return formatDatePart(first, isShort ? DAY : LONG);
  return formatterOf(SHORT).formatRange(new Date(first), new Date(last));
}

/** Below a small bar: `21`, `Nov`, `16/11`. */
export function shortNameOf({ kind, first }: Period): string {
  if (kind === "month") return formatDatePart(first, { ...DATE, month: "short" });
  if (kind === "day") return formatDatePart(first, { ...DATE, day: "numeric" });
  if (kind === "year") return formatDatePart(first, { ...DATE, year: "numeric" });
  return formatDatePart(first, { ...DATE, day: "numeric", month: "short" });
}

/** `Sat`. */
export function weekdayOf({ first }: Period): string {
  return formatDatePart(first, { ...DATE, weekday: "short" });
}

/** Below a bar: as short as possible. */
export function markOf(part: Part, zone: string, isWeek: boolean): string {
  switch (part.unit) {
    case "hour":
      return formatDatePart(part.start, { timeZone: zone, hour: "numeric" });
    case "day":
      return formatDatePart(part.date, isWeek ? { ...DATE, weekday: "short" } : { ...DATE, day: "numeric" });
    case "week":
      return formatDatePart(part.date, { ...DATE, day: "numeric", month: "short" });
    case "month":
      return formatDatePart(part.date, { ...DATE, month: "short", year: "2-digit" });
    default:
      return formatDatePart(part.date, { ...DATE, year: "numeric" });
  }
}

/** Full name of a part: `10:00 – 11:00`, `Saturday, November 21, 2026`, `Week from Nov 16, 2026`. */
export function periodName(part: Part, zone: string): string {
  switch (part.unit) {
    case "hour":
      return `${formatTime(part.start, zone)} – ${formatTime(part.end, zone)}`;
    case "day":
      return formatDatePart(part.date, LONG);
    case "week":
      return t("weekFrom", { date: formatDatePart(part.date, SHORT) });
    case "month":
      return formatDatePart(part.date, { ...DATE, month: "long", year: "numeric" });
    default:
      return formatDatePart(part.date, { ...DATE, year: "numeric" });
  }
}

/** The hostname, or a text for none. */
export function hostText(name: string): string {
  return isUnknownHost(name) ? t("noHost") : name;
}

/** Formats a date or a timestamp for the language. */
export function formatDatePart(when: string | number, options: Intl.DateTimeFormatOptions): string {
  return formatterOf(options).format(new Date(when));
}
