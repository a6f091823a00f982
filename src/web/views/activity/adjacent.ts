// The periods around one, with their active time.
import { client } from "../../api.js";
import { shownValue, useLoad } from "../../load.js";
import type { Calendar, Period } from "../../period.js";
import { type Report, reportKey, reportRequest } from "../../report.js";
import { inParts } from "./bars.js";
import type { Hosts } from "./hosts.js";

/** A nearby period of the same kind. */
export interface AdjacentPeriod {
  readonly period: Period;
  readonly seconds: number | undefined;
}

const DAY = 86_400_000;
/** Reports have at most 10,000 bins. */
const MAX_DAYS = 9_000;
const UNITS = { day: "day", week: "week", month: "month", year: "month", range: "day" } as const;

/**
 * Loads the times of contiguous periods after the report of one of them: they need the events of a year.
 *
 * @param report changes with events reload the times; `undefined` while it is loading
 */
export function useTimes(
  periods: readonly Period[],
  shown: Period,
  { calendar, hosts }: { readonly calendar: Calendar; readonly hosts: Hosts },
  report: Report | undefined,
): readonly AdjacentPeriod[] {
  const [from = shown, to = shown] = [periods[0], periods.at(-1)];
  const by = UNITS[shown.kind];
  const isTooLong = by === "day" && to.end - from.start >= MAX_DAYS * DAY;
  const range = { kind: "range", first: from.first, last: to.last } as const;
  const request = { ...reportRequest(range, calendar, hosts), by, groups: [] };
  const key = reportKey(request);
  const loaded = useLoad(JSON.stringify([key, report?.totals, report?.compared?.totals]), async (signal) => {
    if (report === undefined || isTooLong) return undefined;
    return { key, bins: (await client.report(request, { signal })).bins };
  });
  const known = shownValue(loaded);
  const bins = report && known?.key === key ? inParts(known.bins, periods) : [];
  return periods.map((period, at) => {
    if (period.start === shown.start) return { period, seconds: report?.totals.active };
    return { period, seconds: bins[at]?.reduce((sum, { active }) => sum + active, 0) };
  });
}
