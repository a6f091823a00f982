// Progress of reports of several years, for the dashboard and the command.

import type { ActivityClient, CallOptions } from "./client-types.js";

type Ask = ActivityClient["report"];
type Request = NonNullable<Parameters<Ask>[0]>;

/** The number of parts in which `sumUpYears` requests a period. */
export function countParts(request: Request): number {
  return newYearsIn(request).length;
}

/**
 * Requests a period of several years in growing parts, to show progress: the server keeps the sums of years. Each part
 * ends after a New Year's Day, since the last day of a period is summed up differently from those within it.
 */
export async function sumUpYears(
  report: Ask,
  request: Request,
  onProgress: (done: number, parts: number) => void,
  options?: CallOptions,
): Promise<void> {
  const { compare: _compare, around: _around, ...rest } = request;
  const years = newYearsIn(request);
  for (const [done, to] of years.entries()) {
    onProgress(done, years.length);
    await report({ ...rest, to, limit: 1 }, options);
  }
}

/** The New Year's Days of a range of several years; none of a shorter one. The server refuses what is no date. */
function newYearsIn({ date, to }: Request): readonly string[] {
  if (typeof to !== "string") return [];
  const [first = 0, last = 0] = [date, to].map((day) => Number.parseInt(day ?? "", 10) || new Date().getFullYear());
  const years: string[] = [];
  for (let year = first + 1; year <= last; year++) years.push(`${year}-01-01`);
  return years.length < 2 ? [] : years;
}
