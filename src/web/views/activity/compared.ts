// What a period is compared with, in words.
import { formatTime } from "../../format.js";
import type { Calendar, Period } from "../../period.js";
import { t } from "../../texts/activity.js";
import { dateAt } from "../../wall-clock.js";
import type { Before } from "./before.js";
import { inWords, titleOf } from "./names.js";

const WEEK = 7 * 86_400_000;

/** The period before in words, and how much of it counts. */
export function comparedText({ until, period: past }: Before, period: Period, calendar: Calendar): string {
  const title = titleOf(past, true);
  // Of other periods their names say it.
  const weeks = (Date.parse(period.first) - Date.parse(past.first)) / WEEK;
  const named = past.kind === "range" ? t("sameWeekdays", { period: title, count: weeks }) : title;
  return until < past.end ? t("upTo", { period: named, time: untilText(until, past, calendar) }) : named;
}

function untilText(until: number, { kind, first }: Period, { zone }: Calendar): string {
  // A day may go on behind midnight.
  if (kind === "day" && dateAt(until, zone) === first) return formatTime(until, zone);
  const named =
    kind === "day" || kind === "week" ? ({ weekday: "short" } as const) : ({ day: "numeric", month: "short" } as const);
  return `${inWords(until, { timeZone: zone, ...named })}, ${formatTime(until, zone)}`;
}
