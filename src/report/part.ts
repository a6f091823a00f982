// The numbers of a period, from its sums.
import type { DomainOf } from "../api/codec.js";
import { type Micros, microsToSeconds } from "../domain/time.js";
import { formatCategory } from "../filter/term.js";
import { STEP_EVENTS, type Steps } from "../transforms/steps.js";
import { type AppNames, foldApps } from "./app-names.js";
import { categoryTimes, MAX_CATEGORIES } from "./bins.js";
import type { CalendarDay } from "./calendar.js";
import { daysOf } from "./days.js";
import { lengthAt, longestIn, type Ranges } from "./ranges.js";
import { type Group, hasApps, isSameList, isTitle, summedLists } from "./request.js";
import { sorted } from "./sorted.js";
import { type BinExtras, type CoverageSums, SHORTEST_SILENCE_MICROS, type Summary } from "./summary.js";
import {
  addTime,
  type CategorySum,
  type CategoryTimes,
  categorySum,
  identityOf,
  keyIn,
  ListBuilder,
  treeOf,
} from "./sums.js";

/** The numbers of a period, as in responses. */
export type ReportPart = DomainOf<"ReportPart">;
type ReportGroup = DomainOf<"ReportGroup">;
type ReportRow = DomainOf<"ReportRow">;
type ReportCoverage = DomainOf<"ReportCoverage">;

/** Most characters in the keys of all lists. Pages end before. */
const MAX_CHARACTERS = 4_000_000;
/** Most silent ranges of one bucket. */
const MAX_RANGES = 100;
/** Most names of one app. */
const MAX_NAMES = 20;
const SECONDS_PER_HOUR = 3600;

/** The sums of a period, and what to show of them. */
export interface PartInput {
  readonly start: Micros;
  readonly end: Micros;
  readonly summary: Summary;
  readonly days: readonly CalendarDay[];
  readonly groups: readonly Group[];
  /** Hostnames, in the order of the summary. */
  readonly hosts: readonly string[];
  readonly appNames: AppNames;
  /** Points per hour of a category. */
  readonly scoreOf: (name: readonly string[]) => number;
  /** Borders of the bins; empty for none. */
  readonly borders: readonly Micros[];
  /** What bins have besides their times. @param room for keys that all lists share */
  readonly binExtras?: ((room: { characters: number }) => Steps<readonly BinExtras[]>) | undefined;
  /** Whether a later part is compared with this one and needs all of its sums. */
  readonly keepsSums: boolean;
}

/** All rows of the lists, by name of the list and identity of the row. */
export type Sums = ReadonlyMap<string, SumsOfList>;
type SumsOfList = ReadonlyMap<string, Micros>;

/** @param before the lists of the compared period */
export function* partOf(input: PartInput, before?: Sums): Steps<{ readonly part: ReportPart; readonly sums: Sums }> {
  const { start, end, groups, summary } = input;
  const lists = new Map<string, ReportGroup>();
  const sums = new Map<string, SumsOfList>();
  const room = { characters: MAX_CHARACTERS };
  const summed = summedLists(groups);
  for (const group of groups) {
    const at = summed.findIndex((one) => isSameList(one, group));
    const list = at < 0 ? otherList(group, input) : yield* keyedList(input, at, group);
    lists.set(group.name, pageOf(list, group, room, before && (before.get(group.name) ?? new Map())));
    if (input.keepsSums) sums.set(group.name, new Map(list.rows.map(({ id, micros }) => [id, micros])));
  }
  const extras = input.binExtras && (yield* input.binExtras(room));
  const totals = totalsOf(summary, input.days);
  const score = groups.some(({ source }) => source.kind === "category") && { score: scoreIn(input) };
  const shown = Object.fromEntries(lists);
  return { part: { start, end, totals, ...score, groups: shown, bins: binsOf(input, extras) }, sums };
}

function scoreIn({ summary, scoreOf }: PartInput): NonNullable<ReportPart["score"]> {
  let [points, productive, distracting] = [0, 0, 0];
  for (const { name, micros } of categorySums(summary)) {
    const score = scoreOf(name);
    points += score * micros;
    if (score > 0) productive += micros;
    if (score < 0) distracting += micros;
  }
  return {
    points: microsToSeconds(points) / SECONDS_PER_HOUR,
    ...{ productive: microsToSeconds(productive), distracting: microsToSeconds(distracting) },
  };
}

function totalsOf({ active, away, focus, days }: Summary, ofPeriod: readonly CalendarDay[]): ReportPart["totals"] {
  const isAny = focus.length > 0;
  return {
    active: microsToSeconds(active),
    away: microsToSeconds(away),
    first: isAny ? (focus[0] as number) : null,
    last: isAny ? (focus.at(-1) as number) : null,
    longestFocus: isAny ? stretchAt(focus, longestIn(focus)) : null,
    days: daysOf(days, ofPeriod),
  };
}

/** A range with its elapsed time. */
function stretchAt(ranges: Ranges, at: number): DomainOf<"ReportStretch"> {
  const [start, end] = [ranges[at] as number, ranges[at + 1] as number];
  return { start, end, seconds: microsToSeconds(end - start) };
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
    const change = before && { change: microsToSeconds(own - (before.get(id) ?? 0)) };
    shown.push({ ...toRow(), seconds: microsToSeconds(own), share: micros === 0 ? 0 : own / micros, ...change });
  }
  const next = offset + shown.length;
  return { rows: shown, total: rows.length, seconds: microsToSeconds(micros), next: next < rows.length ? next : null };
}

function* keyedList(input: PartInput, at: number, group: Group): Steps<FullList> {
  const { summary } = input;
  const { names } = summary;
  const whole = summary.lists[at] as Summary["lists"][number];
  const list = group.only === undefined ? whole : yield* scoredPart(whole, input, group.only);
  const { ids, micros, categories, total } = list;
  const rows: FullRow[] = [];
  if (hasApps(group)) return yield* appList(input, list, group);
  for (const [row, id] of ids.entries()) {
    const toRow = (): ReturnType<FullRow["toRow"]> => {
      const [key] = keyIn(id);
      const times = categoryTimes(sumsIn(categories[row] ?? [], names)).slice(0, MAX_CATEGORIES);
      return { key, ...(times.length > 0 && { categories: times }) };
    };
    rows.push({ id, micros: micros[row] as number, toRow });
    if (rows.length % STEP_EVENTS === 0) yield;
  }
  return { rows: yield* sorted(rows, longestFirst), micros: total };
}

/** The part of a list in categories with a score above or below 0. */
function* scoredPart(
  { ids, categories }: Summary["lists"][number],
  { summary, scoreOf }: PartInput,
  only: NonNullable<Group["only"]>,
): Steps<Summary["lists"][number]> {
  const counts = summary.names.map((name) => (only === "productive" ? scoreOf(name) > 0 : scoreOf(name) < 0));
  const list = new ListBuilder();
  let total = 0;
  for (const [row, id] of ids.entries()) {
    const times = categories[row] ?? [];
    for (let at = 0; at < times.length; at += 2) {
      const [category, micros] = [times[at] as number, times[at + 1] as number];
      if (!counts[category]) continue;
      list.addCategory(list.add(id, micros), category, micros);
      total += micros;
    }
    if (row % STEP_EVENTS === STEP_EVENTS - 1) yield;
  }
  return { ...list.finish(), total };
}

/** Apps, or titles with their apps, with one row for all names of an app. */
function* appList(
  { summary: { names }, appNames }: PartInput,
  list: Summary["lists"][number],
  group: Group,
): Steps<FullList> {
  const rows: FullRow[] = [];
  for (const { id, micros, shown, parts } of yield* foldApps(list, appNames, isTitle(group))) {
    const toRow = (): ReturnType<FullRow["toRow"]> => {
      const sums = new Map<string, CategorySum>();
      for (const { name, micros } of parts.flatMap((row) => sumsIn(list.categories[row] ?? [], names))) {
        categorySum(sums, name).micros += micros;
      }
      const times = categoryTimes(sums.values()).slice(0, MAX_CATEGORIES);
      const row = shown();
      const reported = isTitle(group) ? [] : parts.flatMap((part) => keyIn(list.ids[part] as string)[0] ?? []);
      return {
        ...row,
        ...(reported.some((name) => name !== row.key) && { names: reported.slice(0, MAX_NAMES) }),
        ...(times.length > 0 && { categories: times }),
      };
    };
    rows.push({ id, micros, toRow });
    if (rows.length % STEP_EVENTS === 0) yield;
  }
  return { rows: yield* sorted(rows, longestFirst), micros: list.total };
}

function longestFirst(a: FullRow, b: FullRow): number {
  return b.micros - a.micros || (a.id < b.id ? -1 : 1);
}

function otherList({ source }: Group, { summary, hosts, scoreOf }: PartInput): FullList {
  if (source.kind === "category") return { rows: categoryRows(categorySums(summary), scoreOf), micros: summary.active };
  const rows = hosts.map((host, at): FullRow => {
    return { id: identityOf({ key: host }), micros: summary.hosts[at] ?? 0, toRow: () => ({ key: host }) };
  });
  return { rows: rows.filter(({ micros }) => micros > 0).sort(longestFirst), micros: summary.active };
}

function categoryRows(sums: Iterable<CategorySum>, scoreOf: PartInput["scoreOf"]): FullRow[] {
  return treeOf(sums).map(({ name, micros, own }) => {
    const score = scoreOf(name);
    const toRow = () => ({
      ...{ key: formatCategory(name), name, own: microsToSeconds(own) },
      ...(score !== 0 && { score }),
    });
    return { id: JSON.stringify(name), micros, toRow };
  });
}

/** The time of each category. */
export function categorySums({ categories, names }: Summary): CategorySum[] {
  return sumsIn(categories, names);
}

/** The times of categories with their names. */
export function sumsIn(times: CategoryTimes, names: Summary["names"]): CategorySum[] {
  const sums: CategorySum[] = [];
  for (let at = 0; at < times.length; at += 2) {
    sums.push({ name: names[times[at] as number] as readonly string[], micros: times[at + 1] as number });
  }
  return sums;
}

function binsOf({ summary, borders }: PartInput, extras: readonly BinExtras[] = []): ReportPart["bins"] {
  const bins = borders.slice(1).map((end, at) => {
    return { start: borders[at] as number, end, active: 0, away: 0, categories: [] as Micros[] };
  });
  let into = 0;
  for (const [at, active] of summary.activeInBins.entries()) {
    while (into < bins.length && (bins[into]?.end as number) <= (summary.borders[at] as number)) into++;
    const bin = bins[into];
    if (bin === undefined) break;
    bin.active += active;
    bin.away += summary.awayInBins[at] as number;
    const times = summary.categoriesInBins[at] ?? [];
    for (let next = 0; next < times.length; next += 2) {
      addTime(bin.categories, times[next] as number, times[next + 1] as number);
    }
  }
  return bins.map(({ start, end, active, away, categories }, at) => {
    const times = categoryTimes(sumsIn(categories, summary.names));
    return {
      ...{ start, end, active: microsToSeconds(active), away: microsToSeconds(away), categories: times },
      ...extras[at],
    };
  });
}

/** What a bucket contributes, with its longest silent ranges in the order of time. */
export function coverageOf({ bucket, host, kind, ...sums }: CoverageSums): ReportCoverage {
  const { silent } = sums;
  const starts = Array.from({ length: silent.length / 2 }, (_, index) => index * 2);
  const longest = starts
    .filter((at) => lengthAt(silent, at) >= SHORTEST_SILENCE_MICROS)
    .sort((a, b) => lengthAt(silent, b) - lengthAt(silent, a))
    .slice(0, MAX_RANGES)
    .sort((a, b) => a - b);
  return {
    ...{ bucket, host, kind },
    seconds: microsToSeconds(sums.micros),
    first: sums.first,
    last: sums.last,
    silent: longest.map((at) => stretchAt(silent, at)),
    unmatched: microsToSeconds(sums.unmatched),
  };
}
