// The periods around one, with their active time. Pure.
import type { Period } from "../../period.js";
import type { Report, ReportRequest } from "../../report.js";
import { inParts } from "./bars.js";

/** A nearby period of the same kind. */
export interface AdjacentPeriod {
  readonly period: Period;
  readonly seconds: number | undefined;
}

const DAY = 86_400_000;
/** Reports have at most 10,000 bins. */
const MAX_DAYS = 9_000;
const UNITS = { day: "day", week: "week", month: "month", year: "month", range: "day" } as const;

/** The field of a report's request for the times of contiguous periods. */
export function aroundOf(periods: readonly Period[]): ReportRequest["around"] {
  const [from, to] = [periods[0], periods.at(-1)];
  if (from === undefined || to === undefined) return undefined;
  const by = UNITS[from.kind];
  const isTooLong = by === "day" && to.end - from.start >= MAX_DAYS * DAY;
  return isTooLong ? undefined : { date: from.first, to: to.last, by };
}

/** @param report the report of one of the periods; `undefined` while it is loading */
export function withTimes(
  periods: readonly Period[],
  shown: Period,
  report: Report | undefined,
): readonly AdjacentPeriod[] {
  const bins = inParts(report?.around ?? [], periods);
  return periods.map((period, at) => {
    if (period.start === shown.start) return { period, seconds: report?.totals.active };
    const isKnown = report?.around !== undefined;
    return { period, seconds: isKnown ? bins[at]?.reduce((sum, { active }) => sum + active, 0) : undefined };
  });
}
