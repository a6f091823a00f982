// The numbers of a period, from the activity in it.
import type { DomainOf } from "../api/codec.js";
import { EventBatch } from "../domain/batch.js";
import { valueAt } from "../domain/json-path.js";
import { type Micros, microsToSeconds } from "../domain/time.js";
import { formatCategory } from "../filter/term.js";
import { STEP_EVENTS, type Steps } from "../transforms/steps.js";
import { sumDurations } from "../transforms/sum.js";
import type { Activity, HostActivity } from "./activity.js";
import { breaksInBins, categoryTimes, type ListEvents, listInBins, MOST_CATEGORIES } from "./bins.js";
import type { CalendarDay } from "./calendar.js";
import { joinedWithin } from "./cover.js";
import { daysOf } from "./days.js";
import type { Group } from "./request.js";
import { sorted } from "./sorted.js";
import {
  type CategoryOf,
  type CategorySum,
  categoriesInBins,
  foldNumbers,
  identityOf,
  type Sum,
  sumsBy,
  sumsByCategory,
  sumsInBins,
  toKey,
  treeOf,
} from "./sums.js";

/** The numbers of a period, as in responses. */
export type ReportPart = DomainOf<"ReportPart">;
type ReportGroup = DomainOf<"ReportGroup">;
type ReportRow = DomainOf<"ReportRow">;
type ReportBinList = DomainOf<"ReportBinList">;

/** Shorter absences do not interrupt focus. */
const BREAK_MICROS: Micros = 300_000_000;
/** Most characters in the keys of all lists. Pages end before. */
const MOST_CHARACTERS = 4_000_000;

/** The activity of a period, and what to sum up. */
export interface PartInput {
  readonly start: Micros;
  readonly end: Micros;
  readonly all: Activity;
  readonly hosts: readonly HostActivity[];
  /** Events of other buckets by type. */
  readonly types: ReadonlyMap<string, EventBatch>;
  readonly groups: readonly Group[];
  readonly days: readonly CalendarDay[];
  /** Borders of the bins; empty for none. */
  readonly borders: readonly Micros[];
  /** All activity whatever the filter, and the shortest break in it; absent if no breaks are requested. */
  readonly breaks?: { readonly activity: EventBatch; readonly least: Micros } | undefined;
  readonly categoryOf: CategoryOf;
  /** Whether a later part is compared with this one and needs all of its sums. */
  readonly keepsSums: boolean;
}

/** All rows of the lists, by name of the list and identity of the row. */
export type Sums = ReadonlyMap<string, SumsOfList>;
type SumsOfList = ReadonlyMap<string, { readonly micros: Micros }>;

/** @param before the lists of the compared period */
export function* partOf(input: PartInput, before?: Sums): Steps<{ readonly part: ReportPart; readonly sums: Sums }> {
  const { start, end, groups } = input;
  const lists: Record<string, ReportGroup> = {};
  const sums = new Map<string, SumsOfList>();
  const room = { characters: MOST_CHARACTERS };
  for (const group of groups) {
    const list = yield* listOf(group, input);
    lists[group.name] = pageOf(list, group, room, before && (before.get(group.name) ?? new Map()));
    if (input.keepsSums) sums.set(group.name, list.sums);
  }
  const totals = yield* totalsOf(input);
  return { part: { start, end, totals, groups: lists, bins: yield* binsOf(input, room) }, sums };
}

function* totalsOf({ all: { windows, away }, days }: PartInput): Steps<ReportPart["totals"]> {
  const isAny = windows.length > 0;
  const stretches = yield* joinedWithin(windows, BREAK_MICROS);
  let longest = 0;
  for (let at = 1; at < stretches.length; at++) {
    if ((stretches.durations[at] as number) > (stretches.durations[longest] as number)) longest = at;
  }
  return {
    active: microsToSeconds(yield* sumDurations(windows)),
    away: microsToSeconds(yield* sumDurations(away)),
    first: isAny ? (windows.timestamps[0] as number) : null,
    last: isAny ? windows.endAt(windows.length - 1) : null,
    longestFocus: isAny ? stretchAt(stretches, longest) : null,
    days: yield* daysOf(windows, days),
  };
}

/** A range with its elapsed time. */
export function stretchAt(periods: EventBatch, at: number): DomainOf<"ReportStretch"> {
  const start = periods.timestamps[at] as number;
  return { start, end: periods.endAt(at), seconds: microsToSeconds(periods.durations[at] as number) };
}

/** A row before paging. */
interface FullRow {
  readonly id: string;
  readonly micros: Micros;
  /** Only called for rows of the page: there may be as many rows as events. */
  toRow(): Omit<ReportRow, "seconds" | "share" | "change">;
}

interface FullList {
  readonly rows: readonly FullRow[];
  readonly sums: SumsOfList;
  /** The time of all events. */
  readonly micros: Micros;
}

/** @param room for keys that all lists share. A page has at least one row, so that the next one gets further */
function pageOf(
  { rows, micros }: FullList,
  { offset, limit }: Group,
  room: { characters: number },
  before: SumsOfList | undefined,
): ReportGroup {
  const shown: ReportRow[] = [];
  for (const { id, micros: own, toRow } of rows.slice(offset, offset + limit)) {
    room.characters -= id.length;
    if (room.characters < 0 && shown.length > 0) break;
    const change = before && { change: microsToSeconds(own - (before.get(id)?.micros ?? 0)) };
    shown.push({ ...toRow(), seconds: microsToSeconds(own), share: micros === 0 ? 0 : own / micros, ...change });
  }
  const next = offset + shown.length;
  return { rows: shown, total: rows.length, seconds: microsToSeconds(micros), next: next < rows.length ? next : null };
}

function* listOf(group: Group, input: PartInput): Steps<FullList> {
  const { all, hosts } = input;
  if (group.source.kind === "host") return yield* hostList(hosts, all);
  const { events, keyOf, categoryOf } = eventsOf(group, input);
  if (keyOf === undefined) {
    const sums = yield* sumsByCategory(events, input.categoryOf);
    return listed(categoryRows(sums.values()), yield* sumDurations(events));
  }
  const sums = yield* sumsBy(events, keyOf, categoryOf);
  const rows: FullRow[] = [];
  for (const [id, sum] of sums) {
    rows.push({ id, micros: sum.micros, toRow: () => rowOf(sum) });
    if (rows.length % STEP_EVENTS === 0) yield;
  }
  return { rows: yield* sorted(rows, longestFirst), sums, micros: yield* sumDurations(events) };
}

/** The events of a list; none for the list of hosts. */
function eventsOf({ source, foldsNumbers }: Group, { all, types, categoryOf, groups }: PartInput): ListEvents {
  if (source.kind === "category") return { events: all.windows, categoryOf };
  if (source.kind === "host") return { events: EventBatch.from([]) };
  const { path } = source;
  const isWindows = source.kind === "windows";
  const folded = foldsNumbers ? foldNumbers : (key: string | null) => key;
  const isTitle = isWindows && source.isTitle;
  return {
    events: source.kind === "type" ? (types.get(source.type) ?? EventBatch.from([])) : all[source.kind],
    keyOf(data) {
      const own = toKey(valueAt(data, path));
      // Android has activities instead of titles.
      const key = folded(isTitle ? (own ?? toKey(valueAt(data, ["classname"]))) : own);
      return isTitle ? { key, app: toKey(valueAt(data, ["app"])) } : { key };
    },
    categoryOf: isWindows && groups.some(({ name }) => name === "category") ? categoryOf : undefined,
  };
}

function listed(rows: readonly FullRow[], micros: Micros): FullList {
  return { rows, sums: new Map(rows.map((row) => [row.id, row])), micros };
}

function rowOf({ key, app, categories }: Sum): ReturnType<FullRow["toRow"]> {
  const times = categoryTimes(categories.values()).slice(0, MOST_CATEGORIES);
  return { key, ...(app === undefined ? {} : { app }), ...(times.length === 0 ? {} : { categories: times }) };
}

function longestFirst(a: FullRow, b: FullRow): number {
  return b.micros - a.micros || (a.id < b.id ? -1 : 1);
}

function categoryRows(sums: Iterable<CategorySum>): FullRow[] {
  return treeOf(sums).map(({ name, micros, own }) => {
    const toRow = () => ({ key: formatCategory(name), name, own: microsToSeconds(own) });
    return { id: JSON.stringify(name), micros, toRow };
  });
}

function* hostList(hosts: readonly HostActivity[], all: Activity): Steps<FullList> {
  const rows: FullRow[] = [];
  for (const { host, windows } of hosts) {
    const micros = yield* sumDurations(windows);
    if (micros > 0) rows.push({ id: identityOf({ key: host }), micros, toRow: () => ({ key: host }) });
  }
  return listed(rows.sort(longestFirst), yield* sumDurations(all.windows));
}

function* binsOf(input: PartInput, room: { characters: number }): Steps<ReportPart["bins"]> {
  const { all, borders, groups, categoryOf, breaks } = input;
  if (borders.length < 2) return [];
  const active = yield* sumsInBins(all.windows, borders);
  const away = yield* sumsInBins(all.away, borders);
  const hasCategories = groups.some(({ name }) => name === "category");
  const categories = hasCategories ? yield* categoriesInBins(all.windows, borders, categoryOf) : [];
  const lists = new Map<string, ReportBinList[]>();
  for (const group of groups) {
    if (!group.inBins) continue;
    lists.set(group.name, yield* listInBins(eventsOf(group, input), borders, group, room));
  }
  const pauses = breaks && (yield* breaksInBins(breaks.activity, borders, breaks.least));
  return Array.from(active, (micros, bin) => ({
    start: borders[bin] as number,
    end: borders[bin + 1] as number,
    active: microsToSeconds(micros),
    away: microsToSeconds(away[bin] as number),
    categories: categoryTimes(categories[bin]?.values() ?? []),
    ...(lists.size > 0 && { lists: Object.fromEntries([...lists].map(([name, bins]) => [name, bins[bin]])) }),
    ...(pauses && { breaks: pauses[bin] ?? [] }),
  })) as ReportPart["bins"];
}
