// Carries period and hosts from one view over to others.
import {
  isCurrent,
  isPeriodKind,
  type Period,
  type PeriodKind,
  periodAround,
  periodOfRoute,
  routeOfPeriod,
} from "./period.js";
import { href, type Place } from "./router.js";
import { currentCalendar } from "./settings.js";
import { dateAt } from "./wall-clock.js";

const DAY = 86_400_000;
/**
 * Maps the length of the timeline's range to a kind of period, by the first that is as long. A day may have 25 hours.
 */
const LENGTHS: readonly (readonly [PeriodKind, days: number])[] = [
  ["day", 1.1],
  ["week", 7.1],
  ["month", 31.1],
];

/** The period in an address; `undefined` if it has none. */
export function periodOf({ path, params }: Place): Period | undefined {
  const [first = ""] = path;
  if (first === "timeline")
    return periodOfWindow(Date.parse(params.get("start") ?? ""), Date.parse(params.get("end") ?? ""));
  const named = first === "timesheet" || first === "search" ? path.slice(1) : path;
  const isNamed = named[1] !== undefined && isPeriodKind(named[0]);
  return isNamed ? periodOfRoute(named, currentCalendar.value, Date.now()) : undefined;
}

function periodOfWindow(start: number, end: number): Period | undefined {
  if (!(start < end)) return undefined;
  const [kind] = LENGTHS.find(([, days]) => end - start <= days * DAY) ?? ["year" as const];
  return periodAround(kind, dateAt((start + end) / 2, currentCalendar.value.zone), currentCalendar.value);
}

/** The menu link to a view, with the current period and hosts if both views have them. */
export function linkFrom(place: Place, view: string, path: readonly string[]): string {
  if (view !== "activity" && view !== "timesheet" && view !== "timeline") return href(path);
  const [host, hosts] = ["host", "hosts"].map((name) => place.params.get(name) ?? undefined);
  // The timeline shows all hosts unless it has exactly one.
  const whose = view === "timeline" ? { host } : { host, hosts };
  const period = periodOf(place);
  // Links without a period advance to the next day automatically.
  if (period === undefined || (period.kind === "day" && isCurrent(period, Date.now()))) return href(path, whose);
  if (view === "activity") return href(routeOfPeriod(period), whose);
  if (view === "timesheet") {
    const shown = period.kind === "day" ? periodAround("week", period.first, currentCalendar.value) : period;
    return href([...path, ...routeOfPeriod(shown)], whose);
  }
  const [start, end] = [period.start, period.end].map((instant) => new Date(instant).toISOString());
  return href(path, { start, end, ...whose });
}
