// The periods around one, with their active time.
import { client } from "../../api.js";
import { shownValue, useLoad } from "../../load.js";
import { type Calendar, type Period, rangeOf } from "../../period.js";
import { reportKey, reportRequest } from "../../report.js";
import { inParts } from "./bars.js";
import type { Hosts } from "./hosts.js";
import { adjacentPeriods } from "./previous-period.js";

/** A nearby period of the same kind. */
export interface AdjacentPeriod {
  readonly period: Period;
  readonly seconds: number | undefined;
}

export interface AdjacentProps {
  readonly hosts: Hosts;
  readonly period: Period;
  readonly calendar: Calendar;
  readonly now: number;
  /** The active time of the period; the others are loaded after it. */
  readonly seconds: number | undefined;
}

const DAY = 86_400_000;
/** Reports have at most 10,000 bins. */
const MAX_DAYS = 9_000;
const UNITS = { day: "day", week: "week", month: "month", year: "month", range: "day" } as const;

export function useAdjacent({ hosts, period, calendar, now, seconds }: AdjacentProps): readonly AdjacentPeriod[] {
  const periods = adjacentPeriods(period, calendar, now);
  const [{ first, start } = period, { last, end } = period] = [periods[0], periods.at(-1)];
  const by = UNITS[period.kind];
  const request = { ...reportRequest(rangeOf(first, last, calendar), calendar, hosts), by };
  const isOn = seconds !== undefined && (by !== "day" || end - start < MAX_DAYS * DAY);
  const key = reportKey(request);
  const loaded = useLoad(isOn ? key : "", async (signal) => {
    return isOn ? { key, bins: (await client.report(request, { signal })).bins } : undefined;
  });
  const shown = shownValue(loaded);
  const sums = shown?.key === key ? inParts(shown.bins, periods).map(sumActive) : [];
  return periods.map((one, at) => ({ period: one, seconds: one.start === period.start ? seconds : sums[at] }));
}

function sumActive(bins: readonly { readonly active: number }[]): number {
  return bins.reduce((sum, { active }) => sum + active, 0);
}
