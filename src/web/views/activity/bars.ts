// The bars of a chart, from the bins of a report. Pure.
import { isWithin, UNCATEGORIZED } from "../../categories.js";
import { type Calendar, type Part, type Period, partsOf } from "../../period.js";
import type { CategoryTime, Report, ReportRequest } from "../../report.js";

export interface Bars {
  readonly parts: readonly Part[];
  readonly times: readonly (readonly CategoryTime[])[];
}

/** The length of the bins to request. Bars of years consist of months. */
export function binsFor(period: Period, calendar: Calendar): NonNullable<ReportRequest["by"]> {
  const [{ unit } = { unit: "day" as const }] = partsOf(period, calendar);
  return unit === "year" ? "month" : unit;
}

/** @param bins ascending; several can belong to one bar */
export function barsOf(bins: Report["bins"], period: Period, calendar: Calendar): Bars {
  const parts = partsOf(period, calendar);
  return { parts, times: inParts(bins, parts).map((own) => own.flatMap(({ categories }) => categories)) };
}

/** Bars without those that start at or after a time. @param end Unix milliseconds */
export function upTo({ parts, times }: Bars, end: number): Bars {
  const count = parts.filter(({ start }) => start < end).length;
  return { parts: parts.slice(0, count), times: times.slice(0, count) };
}

/** The bins that start in each of several contiguous parts. */
export function inParts<T extends { readonly start: string }>(
  bins: readonly T[],
  parts: readonly { readonly start: number; readonly end: number }[],
): readonly (readonly T[])[] {
  const starts = bins.map(({ start }) => Date.parse(start));
  return parts.map(({ start, end }) => bins.filter((_, at) => start <= Number(starts[at]) && Number(starts[at]) < end));
}

/** Sums times by top-level category, longest first. */
export function sumByTopCategory(times: readonly CategoryTime[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { name, seconds } of times) {
    const [top = UNCATEGORIZED] = name;
    sums.set(top, (sums.get(top) ?? 0) + seconds);
  }
  return new Map([...sums].sort(([, one], [, other]) => other - one));
}

/** Time of a category with its subcategories in each part; `[]` is all time. */
export function timesWithin({ times }: Bars, ancestor: readonly string[]): readonly (readonly CategoryTime[])[] {
  return times.map((own) => own.filter(({ name }) => isWithin(name, ancestor)));
}

/** Total in seconds. */
export function sumSeconds(times: readonly Pick<CategoryTime, "seconds">[] = []): number {
  return times.reduce((sum, { seconds }) => sum + seconds, 0);
}
