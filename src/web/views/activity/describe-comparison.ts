// Describes the period to compare with.
import { formatTime } from "../../format.js";
import type { Calendar, Period } from "../../period.js";
import { t } from "../../texts/activity.js";
import { dateAt } from "../../wall-clock.js";
import { formatDatePart, titleOf } from "./names.js";

const WEEK = 7 * 86_400_000;

/** Describes the previous period, and the part of it that is compared. @param until Unix milliseconds */
export function describeComparison(past: Period, until: number, period: Period, calendar: Calendar): string {
  const title = titleOf(past, true);
  // Names suffice for other periods.
  const weeks = (Date.parse(period.first) - Date.parse(past.first)) / WEEK;
  const named = past.kind === "range" ? t("sameWeekdays", { period: title, count: weeks }) : title;
  return until < past.end ? t("upTo", { period: named, time: untilText(until, past, calendar) }) : named;
}

function untilText(until: number, { kind, first }: Period, { zone }: Calendar): string {
  // A day may extend beyond midnight.
  if (kind === "day" && dateAt(until, zone) === first) return formatTime(until, zone);
  const named =
    kind === "day" || kind === "week" ? ({ weekday: "short" } as const) : ({ day: "numeric", month: "short" } as const);
  return `${formatDatePart(until, { timeZone: zone, ...named })}, ${formatTime(until, zone)}`;
}
