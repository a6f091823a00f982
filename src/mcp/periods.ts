// Periods in words.
import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { mustBe } from "../errors.js";
import { addDays, isDate } from "../report/calendar.js";
import { planOf, type ReportRequest } from "../report/request.js";

/** A request without lists. */
export const PLAIN_REQUEST: ReportRequest = { date: "today", hosts: "all", filter: [], groups: [], limit: 100 };

/** The words for periods. */
export const PERIODS =
  "today, yesterday, this week, last week, this month, last month, this year, last year, \
a date like 2024-03-01, or two dates like 2024-03-01..2024-03-07";

/** Resolves words. @throws ActivityError `INVALID_INPUT` */
export function parsePeriod(words: string, settings: JsonObject, now: Micros): ReportRequest {
  const text = words.trim().toLowerCase().replace(/\s+/g, " ");
  if (text === "today" || text === "yesterday") return { ...PLAIN_REQUEST, date: text };
  const [which = "", unit = ""] = text.split(" ");
  if ((unit === "week" || unit === "month" || unit === "year") && text === `${which} ${unit}`) {
    if (which === "this") return { ...PLAIN_REQUEST, period: unit };
    if (which === "last") {
      const { first } = planOf({ ...PLAIN_REQUEST, period: unit }, settings, now).period;
      return { ...PLAIN_REQUEST, period: unit, date: addDays(first, -1) };
    }
  }
  const [date = "", to, ...rest] = text.split("..").map((part) => part.trim());
  const isKnown = (given: string): boolean => given === "today" || given === "yesterday" || isDate(given);
  if (rest.length > 0 || !isKnown(date) || (to !== undefined && !isKnown(to))) {
    throw mustBe("period", PERIODS, words);
  }
  return { ...PLAIN_REQUEST, date, ...(to !== undefined && { to }) };
}
