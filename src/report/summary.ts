// The sums of a part of a period. Sums of successive parts add up to those of the period, to the microsecond.
import type { DomainOf } from "../api/codec.js";
import type { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import { valueAt } from "../domain/json-path.js";
import type { Micros } from "../domain/time.js";
import { emptyBatch } from "../transforms/batches.js";
import { STEP_EVENTS, type Steps } from "../transforms/steps.js";
import { sumDurations } from "../transforms/sum.js";
import type { Activity, Covered, HostActivity } from "./activity.js";
import { joinRanges, lengthAt, longestIn, type Ranges, rangesOf } from "./ranges.js";
import type { Group } from "./request.js";
import {
  addTime,
  CategoryNumbers,
  type CategoryOf,
  type CategoryTimes,
  categoriesInBins,
  type DataTime,
  eachPart,
  foldNumbers,
  identityOf,
  ListBuilder,
  type ListSums,
  type RowKey,
  sumsBy,
  sumsByCategory,
  sumsInBins,
  timesByData,
  toKey,
} from "./sums.js";

/** Shorter absences do not interrupt focus. */
const BREAK_MICROS: Micros = 300_000_000;
/** Shorter silence is normal: watchers miss a moment at each change. */
export const SHORTEST_SILENCE_MICROS: Micros = 300_000_000;
/** Reports between silent ranges that do not separate them. */
const JOINED_SILENCE_MICROS: Micros = 60_000_000;

/** What a bucket contributes to a part of a period. */
export interface CoverageSums {
  readonly bucket: string;
  readonly host: string;
  readonly kind: Covered["kind"];
  readonly micros: Micros;
  readonly first: Micros | null;
  readonly last: Micros | null;
  readonly silent: Ranges;
  readonly unmatched: Micros;
}

/** The sums of a part of a period. JSON. */
export interface Summary {
  readonly active: Micros;
  readonly away: Micros;
  /** Active time, joined over short breaks: the first range, the longest one, and the last. */
  readonly focus: Ranges;
  /** The first and the last moment of each day with activity. */
  readonly days: Ranges;
  /** Borders of the bins. */
  readonly borders: readonly Micros[];
  readonly activeInBins: readonly Micros[];
  readonly awayInBins: readonly Micros[];
  /** Empty if they are not needed. */
  readonly categoriesInBins: readonly CategoryTimes[];
  /** Names of the categories by number. */
  readonly names: readonly (readonly string[])[];
  readonly categories: CategoryTimes;
  /** Active time of each host. */
  readonly hosts: readonly Micros[];
  /** The lists with a key, in the order of the groups. */
  readonly lists: readonly (ListSums & { readonly total: Micros })[];
  readonly coverage: readonly CoverageSums[];
  /** Of each bin, if requested. */
  readonly extras?: readonly BinExtras[];
}

/** The lists and breaks of a bin. */
export type BinExtras = Pick<DomainOf<"ReportBin">, "lists" | "breaks">;

/** What a summary contains. */
export interface SummaryWishes {
  /** The groups with a key; see `summedLists`. */
  readonly groups: readonly Group[];
  readonly hasCategories: boolean;
  /** Whether the rows of windows have the times of their categories. */
  readonly hasRowCategories: boolean;
  readonly hasBinCategories: boolean;
  /** Groups and shortest break of the extras; absent if the summary has none. */
  readonly extras?: { readonly groups: readonly Group[]; readonly shortestBreak: Micros | undefined } | undefined;
}

/** The activity in a part of a period. */
export interface SummaryInput extends SummaryWishes {
  readonly all: Activity;
  readonly hosts: readonly HostActivity[];
  /** Events of other buckets by type. */
  readonly types: ReadonlyMap<string, EventBatch>;
  /** Borders of the shortest bins that are needed. */
  readonly borders: readonly Micros[];
  /** Borders of the days. */
  readonly days: readonly Micros[];
  readonly categoryOf: CategoryOf;
}

export function* summaryOf(input: SummaryInput): Steps<Summary> {
  const { all, hosts, borders, hasCategories } = input;
  const numbers = new CategoryNumbers();
  const needsTimes = hasCategories || input.groups.some(({ source }) => source.kind === "windows");
  const windows = needsTimes
    ? yield* timesByData(all.windows, hasCategories ? numbered(input.categoryOf, numbers) : undefined)
    : { times: [], ofEvents: [] };
  const lists: Summary["lists"][number][] = [];
  for (const group of input.groups) lists.push(yield* listOf(group, input, windows.times));
  const ofHosts: Micros[] = [];
  for (const host of hosts) ofHosts.push(yield* sumDurations(host.windows));
  const coverage: CoverageSums[] = [];
  for (const { host, covered } of hosts) for (const each of covered) coverage.push(yield* coverageOf(host, each));
  return {
    active: yield* sumDurations(all.windows),
    away: yield* sumDurations(all.away),
    focus: yield* rangesOf(all.windows, BREAK_MICROS, longestOnly),
    days: yield* daysWithActivity(all.windows, input.days),
    borders,
    activeInBins: yield* sumsInBins(all.windows, borders),
    awayInBins: yield* sumsInBins(all.away, borders),
    categoriesInBins: input.hasBinCategories ? yield* categoriesInBins(all.windows, borders, windows.ofEvents) : [],
    names: numbers.names,
    categories: hasCategories ? sumsByCategory(windows.times) : [],
    hosts: ofHosts,
    lists,
    coverage,
  };
}

function* daysWithActivity(windows: EventBatch, borders: readonly Micros[]): Steps<Ranges> {
  const days: Micros[] = [];
  let open = -1;
  yield* eachPart(windows, borders, (day, _at, micros, start) => {
    if (day === open) days[days.length - 1] = start + micros;
    else days.push(start, start + micros);
    open = day;
  });
  return days;
}

function numbered(categoryOf: CategoryOf, numbers: CategoryNumbers): (data: JsonObject) => number | undefined {
  return (data) => {
    const name = categoryOf(data);
    return name && numbers.of(name);
  };
}

function longestOnly(inner: Ranges): Ranges {
  const longest = longestIn(inner);
  return inner.slice(longest, longest + 2);
}

function longSilence(inner: Ranges): Ranges {
  return inner.filter((_, at) => lengthAt(inner, at - (at % 2)) >= SHORTEST_SILENCE_MICROS);
}

function* listOf(
  group: Group,
  { all, types, hasRowCategories }: SummaryInput,
  ofWindows: readonly DataTime[],
): Steps<Summary["lists"][number]> {
  const isWindows = group.source.kind === "windows";
  const events = eventsOfList(group, { all, types });
  const times = isWindows ? ofWindows : (yield* timesByData(events)).times;
  const list = yield* sumsBy(times, idOf(group), isWindows && hasRowCategories);
  return { ...list, total: yield* sumDurations(events) };
}

/** The events of a list; none for the list of hosts. */
export function eventsOfList({ source }: Group, { all, types }: Pick<SummaryInput, "all" | "types">): EventBatch {
  if (source.kind === "type") return types.get(source.type) ?? emptyBatch;
  if (source.kind === "category") return all.windows;
  return source.kind === "host" ? emptyBatch : all[source.kind];
}

/** Identities of rows. The parts of a period have most data in common. */
const knownIds: WeakMap<Group, WeakMap<JsonObject, string>> = new WeakMap();

/** The identity of the row of data. */
function idOf(group: Group): (data: JsonObject) => string {
  const ids = knownIds.get(group) ?? new WeakMap<JsonObject, string>();
  knownIds.set(group, ids);
  const rowOf = keyOf(group);
  return (data) => {
    let id = ids.get(data);
    if (id === undefined) {
      id = identityOf(rowOf(data));
      ids.set(data, id);
    }
    return id;
  };
}

/** The key of rows. */
export function keyOf({ source, foldsNumbers }: Pick<Group, "source" | "foldsNumbers">): (data: JsonObject) => RowKey {
  const folded = foldsNumbers ? foldNumbers : (key: string | null) => key;
  const path = "path" in source ? source.path : [];
  if (source.kind !== "windows" || !source.isTitle) return (data) => ({ key: folded(toKey(valueAt(data, path))) });
  return (data) => {
    // Android has activities instead of titles, and stopwatches have labels.
    const key = toKey(valueAt(data, path)) ?? toKey(data["classname"]) ?? toKey(data["label"]);
    return { key: folded(key), app: toKey(valueAt(data, ["app"])) };
  };
}

function* coverageOf(host: string, { id, kind, events, silent, unmatched }: Covered): Steps<CoverageSums> {
  const isAny = events.length > 0;
  return {
    ...{ bucket: id, host, kind, unmatched },
    micros: yield* sumDurations(events),
    first: isAny ? (events.timestamps[0] as number) : null,
    last: isAny ? events.endAt(events.length - 1) : null,
    silent: silent === undefined ? [] : yield* rangesOf(silent, JOINED_SILENCE_MICROS, longSilence),
  };
}

/** Adds up successive parts of a period with the same wishes. */
export function* addSummaries(parts: readonly Summary[]): Steps<Summary> {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const numbers = new CategoryNumbers();
  const ofParts = parts.map(({ names }) => names.map((name) => numbers.of(name)));
  const renumbered = (times: CategoryTimes, part: number): Micros[] =>
    times.map((value, at) => (at % 2 === 0 ? ((ofParts[part] as number[])[value] as number) : value));
  const categories: Micros[] = [];
  parts.forEach((part, index) => {
    const times = renumbered(part.categories, index);
    for (let at = 0; at < times.length; at += 2) addTime(categories, times[at] as number, times[at + 1] as number);
  });
  const lists: Summary["lists"][number][] = [];
  for (const [at] of first?.lists.entries() ?? []) {
    const list = new ListBuilder();
    let rows = 0;
    for (const [index, part] of parts.entries()) {
      const { ids, micros, categories } = part.lists[at] as Summary["lists"][number];
      const numbersOfPart = ofParts[index] as number[];
      for (let row = 0; row < ids.length; row++) {
        const into = list.add(ids[row] as string, micros[row] as number);
        const times = categories[row] ?? [];
        for (let next = 0; next < times.length; next += 2) {
          list.addCategory(into, numbersOfPart[times[next] as number] as number, times[next + 1] as number);
        }
        if (++rows % STEP_EVENTS === 0) yield;
      }
    }
    lists.push({ ...list.finish(), total: total(parts, ({ lists }) => lists[at]?.total ?? 0) });
  }
  return {
    active: total(parts, ({ active }) => active),
    away: total(parts, ({ away }) => away),
    focus: joinRanges(
      parts.map(({ focus }) => focus),
      BREAK_MICROS,
      longestOnly,
    ),
    days: parts.flatMap(({ days }) => days),
    borders: parts.flatMap(({ borders }, index) => (index === 0 ? borders : borders.slice(1))),
    activeInBins: parts.flatMap(({ activeInBins }) => activeInBins),
    awayInBins: parts.flatMap(({ awayInBins }) => awayInBins),
    categoriesInBins: parts.flatMap((part, index) => part.categoriesInBins.map((times) => renumbered(times, index))),
    names: numbers.names,
    categories,
    hosts: first?.hosts.map((_, at) => total(parts, ({ hosts }) => hosts[at] as number)) ?? [],
    lists,
    coverage: first?.coverage.map((_, at) => addCoverage(parts.map((part) => part.coverage[at] as CoverageSums))) ?? [],
    ...(first?.extras && { extras: parts.flatMap(({ extras = [] }) => extras) }),
  };
}

function addCoverage(parts: readonly CoverageSums[]): CoverageSums {
  const found = parts.filter(({ first }) => first !== null);
  const { bucket, host, kind } = parts[0] as CoverageSums;
  return {
    ...{ bucket, host, kind },
    micros: total(parts, ({ micros }) => micros),
    first: found[0]?.first ?? null,
    last: found.at(-1)?.last ?? null,
    silent: joinRanges(
      parts.map(({ silent }) => silent),
      JOINED_SILENCE_MICROS,
      longSilence,
    ),
    unmatched: total(parts, ({ unmatched }) => unmatched),
  };
}

function total<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}
