// Resolves the words of a request: periods, lists, conditions.
import type { DomainOf } from "../api/codec.js";
import type { JsonValue } from "../domain/json.js";
import type { Path } from "../domain/json-path.js";
import type { Micros } from "../domain/time.js";
import { isWeekday, type Weekday } from "../domain/weekday.js";
import { ActivityError, fieldUnfit, mustBe, quote } from "../errors.js";
import { parsePath, parseTerm, type Term } from "../filter/term.js";
import { addDays, type BinUnit, Calendar, daysBetween, isDate, type Period, type PeriodKind } from "./calendar.js";

/** A report as requested. */
export type ReportRequest = DomainOf<"ReportRequest">;

/** Lists of windows, pages and files by a key of their data. */
const KEYS = {
  app: { source: "windows", path: ["app"] },
  title: { source: "windows", path: ["title"] },
  site: { source: "pages", path: ["$domain"] },
  url: { source: "pages", path: ["url"] },
  project: { source: "edits", path: ["project"] },
  file: { source: "edits", path: ["file"] },
  language: { source: "edits", path: ["language"] },
} as const;

/** The source of a list's events. */
export type GroupSource =
  | { readonly kind: "category" }
  | { readonly kind: "host" }
  | { readonly kind: "windows" | "pages" | "edits"; readonly path: Path; readonly isTitle: boolean }
  | { readonly kind: "type"; readonly type: string; readonly path: Path };

/** A list to return. */
export interface Group {
  readonly name: string;
  readonly by: string;
  readonly source: GroupSource;
  readonly limit: number;
  readonly offset: number;
  readonly foldsNumbers: boolean;
  /** Whether each bin has its part of the list. */
  readonly inBins: boolean;
  /** Which categories count, by their score; `undefined` for all. */
  readonly only: "productive" | "distracting" | undefined;
}

/** Whether a list has titles of windows. */
export function isTitle({ source }: Group): boolean {
  return source.kind === "windows" && source.isTitle;
}

/** Whether the rows of a list have apps, whose names differ between systems. */
export function hasApps(group: Group): boolean {
  return group.by === "app" || isTitle(group);
}

/** The lists to sum up: groups that differ only in what they show have one. */
export function summedLists(groups: readonly Group[]): readonly Group[] {
  const keyed = groups.filter(({ source }) => source.kind !== "category" && source.kind !== "host");
  return keyed.filter((group, at) => keyed.findIndex((one) => isSameList(one, group)) === at);
}

/** Whether two groups show the same list. */
export function isSameList(one: Group, other: Group): boolean {
  const idOf = ({ source, foldsNumbers }: Group): string => JSON.stringify([source, foldsNumbers]);
  return idOf(one) === idOf(other);
}

/** Most bins of one report. */
const MAX_BINS = 10_000;
const MAX_TERMS = 100;
const MAX_GROUPS = 20;

/** A request with everything resolved. */
export interface Plan {
  readonly zone: string;
  readonly calendar: Calendar;
  readonly period: Period;
  readonly compared: Period | undefined;
  readonly by: BinUnit | undefined;
  /** Microseconds without activity that are a break; `undefined` = bins have no breaks. */
  readonly shortestBreak: Micros | undefined;
  /** Hostnames; `undefined` for all. */
  readonly hosts: readonly string[] | undefined;
  readonly groups: readonly Group[];
  readonly terms: readonly Term[];
}

export interface PlanWithAround extends Plan {
  /** How to report another range. */
  readonly around: Plan | undefined;
}

/** Settings that replace missing fields of requests. */
export interface CalendarSettings {
  readonly timeZone?: JsonValue | undefined;
  readonly startOfDay?: JsonValue | undefined;
  readonly startOfWeek?: JsonValue | undefined;
}

/** @throws ActivityError `INVALID_INPUT` with the field and the fix */
export function planOf(request: ReportRequest, settings: CalendarSettings, now: Micros): PlanWithAround {
  const zone = request.timeZone ?? storedZone(settings.timeZone);
  const calendar = new Calendar({
    zone,
    dayStart: dayStartOf(request, settings),
    weekStart: weekStartOf(request, settings),
  });
  const period = periodOf(request, calendar, now);
  const by = request.by ?? undefined;
  if (by !== undefined) refuseManyBins(period, by);
  const hosts = request.hosts === "all" ? undefined : request.hosts;
  const common = { zone, calendar, hosts, terms: termsOf(request.filter) };
  return {
    ...{ ...common, period, by },
    shortestBreak: shortestBreakOf(request),
    compared: request.compare === "previous" ? calendar.before(period, now) : undefined,
    groups: groupsOf(request),
    around: request.around ? { ...common, ...aroundOf(request.around, calendar, now) } : undefined,
  };
}

function aroundOf({ by, ...range }: NonNullable<ReportRequest["around"]>, calendar: Calendar, now: Micros) {
  const period = rangeOf(range, calendar, now, "around.");
  refuseManyBins(period, by, "around.");
  return { period, by, groups: [], compared: undefined, shortestBreak: undefined };
}

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;

function dayStartOf({ dayStart }: ReportRequest, { startOfDay }: CalendarSettings): string {
  if (dayStart !== undefined && dayStart !== null) {
    if (!CLOCK.test(dayStart)) throw mustBe("day_start", "a time like 04:00", dayStart);
    return dayStart;
  }
  return typeof startOfDay === "string" && CLOCK.test(startOfDay) ? startOfDay : "04:00";
}

function shortestBreakOf({ shortestBreak }: ReportRequest): Micros | undefined {
  return typeof shortestBreak === "number" ? shortestBreak * 1_000_000 : undefined;
}

function weekStartOf({ weekStart }: ReportRequest, { startOfWeek }: CalendarSettings): Weekday {
  return weekStart ?? (isWeekday(startOfWeek) ? startOfWeek : "Monday");
}

function storedZone(timeZone: JsonValue | undefined): string {
  if (typeof timeZone !== "string" || timeZone === "") return "UTC";
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone && timeZone;
  } catch {
    return "UTC";
  }
}

function periodOf({ period, date, to }: ReportRequest, calendar: Calendar, now: Micros): Period {
  const hasTo = to !== undefined && to !== null;
  const kind: PeriodKind = period ?? (hasTo ? "range" : "day");
  if (kind === "range") return rangeOf({ date, to: hasTo ? to : date }, calendar, now);
  const first = dateIn("date", date, calendar, now);
  if (hasTo) throw fieldUnfit("to", `is the last day of a range, got the period ${quote(kind)}; omit one of the two`);
  return calendar.around(kind, first);
}

function rangeOf({ date, to }: { date: string; to: string }, calendar: Calendar, now: Micros, place = ""): Period {
  const first = dateIn(`${place}date`, date, calendar, now);
  const last = dateIn(`${place}to`, to, calendar, now);
  if (first <= last) return calendar.range(first, last);
  throw fieldUnfit(`${place}to`, `must not be before date, got ${last} before ${first}; exchange them`);
}

function dateIn(field: string, text: string, calendar: Calendar, now: Micros): string {
  const today = calendar.dayAt(now);
  const date = text === "today" ? today : text === "yesterday" ? addDays(today, -1) : text;
  if (isDate(date)) return date;
  throw mustBe(field, "a date from 1970-01-02 to 2199-12-30 like 2024-03-01, today or yesterday", text);
}

const DAYS_PER_BIN = { hour: 1 / 24, day: 1, week: 7, month: 28 } as const;

function refuseManyBins({ first, last }: Period, by: BinUnit, place = ""): void {
  const bins = Math.ceil((daysBetween(first, last) + 1) / DAYS_PER_BIN[by]);
  if (bins <= MAX_BINS) return;
  const fix = "narrow the range or use longer bins";
  throw fieldUnfit(`${place}by`, `must make at most ${MAX_BINS} bins, got about ${bins} of one ${by}; ${fix}`);
}

type GroupWish = Partial<DomainOf<"ReportGroupRequest">> & { readonly by: string };

function groupsOf({ groups, limit }: ReportRequest): readonly Group[] {
  if (groups.length > MAX_GROUPS) {
    throw fieldUnfit("groups", `must have at most ${MAX_GROUPS} groups, got ${groups.length}; remove some`);
  }
  const seen = new Set<string>();
  return groups.map((given, index): Group => {
    const [wish, place] = typeof given === "string" ? [{ by: given }, ""] : [given, ".by"];
    const { by, offset = 0, foldNumbers = false, inBins = false, ...own }: GroupWish = wish;
    const name = own.name ?? by;
    const only = own.only ?? undefined;
    const field = `groups[${index}]`;
    if (seen.has(name)) {
      const given = `${field}${own.name ? ".name" : place}`;
      throw fieldUnfit(given, `must be different from the other groups, got ${quote(name)} again`);
    }
    seen.add(name);
    const source = sourceOf(by, `${field}${place}`);
    if (only !== undefined && (source.kind !== "windows" || inBins)) {
      const fix = inBins ? "omit in_bins" : `use app, title or :KEY instead of ${quote(by)}`;
      throw fieldUnfit(`${field}.only`, `needs a list of windows for the whole period; ${fix}`);
    }
    return { ...{ name, by, source, limit: own.limit ?? limit, offset }, foldsNumbers: foldNumbers, inBins, only };
  });
}

function sourceOf(by: string, place: string): GroupSource {
  if (by === "category" || by === "host") return { kind: by };
  if (Object.hasOwn(KEYS, by)) {
    const { source, path } = KEYS[by as keyof typeof KEYS];
    return { kind: source, path, isTitle: by === "title" };
  }
  const colon = by.indexOf(":");
  if (colon < 0) {
    const known = ["category", "host", ...Object.keys(KEYS)].join(", ");
    throw mustBe(place, `one of ${known}, :KEY, or TYPE:KEY such as general.stopwatch:label`, by);
  }
  try {
    const path = parsePath(by.slice(colon + 1));
    return colon === 0 ? { kind: "windows", path, isTitle: false } : { kind: "type", type: by.slice(0, colon), path };
  } catch (cause) {
    if (!ActivityError.is(cause)) throw cause;
    throw fieldUnfit(place, `must end with a key, or keys separated by dots: ${cause.message}`);
  }
}

function termsOf(texts: readonly string[]): readonly Term[] {
  if (texts.length <= MAX_TERMS) return texts.map((text) => parseTerm(text));
  throw fieldUnfit("filter", `must have at most ${MAX_TERMS} conditions, got ${texts.length}; remove some`);
}
