// Requests reports (docs/guides/reports.md) for the periods of views.
import type { client } from "./api.js";
import { effectiveCategories } from "./category-state.js";
import { validFilter } from "./filter/state.js";
import { goals } from "./goals-state.js";
import type { Calendar, Period } from "./period.js";
import { alwaysActivePattern, settings } from "./settings.js";
import type { Hosts } from "./views/activity/hosts.js";

export type ReportRequest = NonNullable<Parameters<typeof client.report>[0]>;
/** A report as the server sends it. */
export type Report = Awaited<ReturnType<typeof client.report>>;
export type ReportGroup = Report["groups"][string];
export type ReportRow = ReportGroup["rows"][number];
export type ReportGoal = Report["goals"][number];
/** Time of a category without its subcategories. */
export type CategoryTime = Pick<Report["bins"][number]["categories"][number], "name" | "seconds">;

/** The fields of a request that select a period, hosts and the active filter. */
export function reportRequest(
  { kind, first, last }: Pick<Period, "kind" | "first" | "last">,
  { zone, startOfDay, startOfWeek }: Calendar,
  hosts: Hosts,
  filter: readonly string[] = validFilter.value,
): ReportRequest {
  return {
    ...(kind === "range" ? { period: kind, date: first, to: last } : { period: kind, date: first }),
    ...{ time_zone: zone, day_start: startOfDay, week_start: startOfWeek, filter },
    hosts: hosts.kind === "all" ? "all" : [hosts.host],
  };
}

/** Other settings that reports depend on. */
const KEYS = ["browser_apps", "browser_hosts", "app_names", "stopwatch_active", "workdays"];

/** Identifies a response: the request and the settings that it depends on. */
export function reportKey(request: ReportRequest): string {
  const rules = [
    effectiveCategories.value,
    alwaysActivePattern.value,
    ...KEYS.map((key) => settings.value[key]),
    goals.value,
  ];
  return JSON.stringify([request, rules]);
}
