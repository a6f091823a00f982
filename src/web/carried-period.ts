// The period and the hosts that one view shows, taken along to others that are about these, too.
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
/** What the timeline shows is of the first of these that is as long; a day of 25 hours is one. */
const LENGTHS: readonly (readonly [PeriodKind, days: number])[] = [
  ["day", 1.1],
  ["week", 7.1],
  ["month", 31.1],
];

/** The period of an address; `undefined` where it names none, or is about something else. */
export function periodOf({ path, params }: Place): Period | undefined {
  const [first = ""] = path;
  if (first === "timeline") return ofWindow(Date.parse(params.get("start") ?? ""), Date.parse(params.get("end") ?? ""));
  const named = first === "timesheet" || first === "search" ? path.slice(1) : path;
  const isNamed = named[1] !== undefined && isPeriodKind(named[0]);
  return isNamed ? periodOfRoute(named, currentCalendar.value, Date.now()) : undefined;
}

function ofWindow(start: number, end: number): Period | undefined {
  if (!(start < end)) return undefined;
  const [kind] = LENGTHS.find(([, days]) => end - start <= days * DAY) ?? ["year" as const];
  return periodAround(kind, dateAt((start + end) / 2, currentCalendar.value.zone), currentCalendar.value);
}

/** The link of the menu to a view, with the period and the hosts of another one where both have such. */
export function linkFrom(place: Place, view: string, path: readonly string[]): string {
  if (view !== "activity" && view !== "timesheet" && view !== "timeline") return href(path);
  const [host, hosts] = ["host", "hosts"].map((name) => place.params.get(name) ?? undefined);
  // The timeline shows all hosts unless it is told one.
  const whose = view === "timeline" ? { host } : { host, hosts };
  const period = periodOf(place);
  // Links without a period go on to the next day by themselves.
  if (period === undefined || (period.kind === "day" && isCurrent(period, Date.now()))) return href(path, whose);
  if (view === "activity") return href(routeOfPeriod(period), whose);
  if (view === "timesheet") {
    const shown = period.kind === "day" ? periodAround("week", period.first, currentCalendar.value) : period;
    return href([...path, ...routeOfPeriod(shown)], whose);
  }
  const [start, end] = [period.start, period.end].map((instant) => new Date(instant).toISOString());
  return href(path, { start, end, ...whose });
}
