// The parts of a period, with the parts of its lists.
import type { DomainOf } from "../api/codec.js";
import type { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import { type Micros, microsToSeconds } from "../domain/time.js";
import { formatCategory } from "../filter/term.js";
import { type Decide, forEachData } from "../transforms/data.js";
import { STEP_EVENTS, type Steps } from "../transforms/steps.js";
import { type AppNames, foldApps } from "./app-names.js";
import { joinedWithin } from "./cover.js";
import type { Group } from "./request.js";
import {
  type CategoryOf,
  type CategorySum,
  categorySum,
  eachPart,
  identityOf,
  ListBuilder,
  type RowKey,
} from "./sums.js";

type ReportBin = DomainOf<"ReportBin">;
type ReportBinList = DomainOf<"ReportBinList">;
type ReportBinRow = DomainOf<"ReportBinRow">;

/** The events of a list, and how they make rows. */
export interface ListEvents {
  readonly events: EventBatch;
  /** Absent for categories, which are the rows. */
  readonly keyOf?: (data: JsonObject) => RowKey;
  /** Absent if rows have no categories. */
  readonly categoryOf?: CategoryOf | undefined;
  /** Absent if rows have no apps. */
  readonly apps?: { readonly names: AppNames; readonly isTitle: boolean } | undefined;
}

/** Most categories of a row. */
export const MAX_CATEGORIES = 10;

/** The row of an event. */
interface Place {
  readonly id: string;
  readonly row: Pick<ReportBinRow, "key" | "app" | "name">;
  /** Absent if rows have no categories. */
  readonly category?: readonly string[] | undefined;
}

interface BinSum {
  readonly place: Place;
  micros: Micros;
  readonly first: Micros;
  last: Micros;
  readonly categories: Map<string, CategorySum>;
}

/** The part of a list in each bin. @param room for keys that all lists share */
export function* listInBins(
  list: ListEvents,
  borders: readonly Micros[],
  { limit }: Pick<Group, "limit">,
  room: { characters: number },
): Steps<ReportBinList[]> {
  const { events, apps } = list;
  const found: Place[] = [];
  yield* forEachData(events, {
    decide: placeIn(list),
    use: (at, place) => {
      found[at] = place;
    },
  });
  const places = apps === undefined ? found : yield* foldedPlaces(found, events, apps);
  const bins = borders.slice(1).map(() => new Map<string, BinSum>());
  yield* eachPart(events, borders, (bin, at, micros, start) => {
    const sums = bins[bin] as Map<string, BinSum>;
    const place = places[at] as Place;
    const { id, category } = place;
    const sum = sums.get(id) ?? { place, micros: 0, first: start, last: start, categories: new Map() };
    sums.set(id, sum);
    sum.micros += micros;
    sum.last = start + micros;
    if (category !== undefined) categorySum(sum.categories, category).micros += micros;
  });
  const lists: ReportBinList[] = [];
  for (const sums of bins) {
    lists.push(listOf([...sums.values()], limit, room));
    yield;
  }
  return lists;
}

/** The places with the names of apps that the whole list has. */
function* foldedPlaces(
  places: readonly Place[],
  events: EventBatch,
  { names, isTitle }: NonNullable<ListEvents["apps"]>,
): Steps<readonly Place[]> {
  const list = new ListBuilder();
  for (const [at, { id }] of places.entries()) {
    list.add(id, events.durations[at] as number);
    if (at % STEP_EVENTS === STEP_EVENTS - 1) yield;
  }
  const sums = list.finish();
  const rows = new Map<string, { readonly id: string; readonly row: RowKey }>();
  for (const { id, parts, shown } of yield* foldApps(sums, names, isTitle)) {
    const row = shown();
    for (const part of parts) rows.set(sums.ids[part] as string, { id, row });
  }
  return places.map((place) => ({ ...place, ...rows.get(place.id) }));
}

function placeIn({ keyOf, categoryOf }: ListEvents): Decide<Place> {
  return (data) => {
    const category = categoryOf?.(data);
    if (categoryOf !== undefined && category === undefined) return undefined;
    if (keyOf !== undefined) {
      const row = keyOf(data);
      return { id: identityOf(row), row, category };
    }
    const name = category ?? [];
    return { id: JSON.stringify(name), row: { key: formatCategory(name), name } };
  };
}

function listOf(sums: readonly BinSum[], limit: number, room: { characters: number }): ReportBinList {
  const sorted = [...sums].sort((a, b) => b.micros - a.micros || (a.place.id < b.place.id ? -1 : 1));
  const rows: ReportBinRow[] = [];
  for (const { place, micros, first, last, categories } of sorted.slice(0, limit)) {
    room.characters -= place.id.length;
    if (room.characters < 0) break;
    const times = categoryTimes(categories.values()).slice(0, MAX_CATEGORIES);
    rows.push({
      ...{ ...place.row, seconds: microsToSeconds(micros), first, last },
      ...(times.length > 0 && { categories: times }),
    });
  }
  return {
    rows,
    seconds: microsToSeconds(sums.reduce((whole, one) => whole + one.micros, 0)),
    first: sums.length === 0 ? null : sums.reduce((first, one) => Math.min(first, one.first), Number.POSITIVE_INFINITY),
    last: sums.length === 0 ? null : sums.reduce((last, one) => Math.max(last, one.last), Number.NEGATIVE_INFINITY),
  };
}

/** Categories with their times, the longest first. */
export function categoryTimes(sums: Iterable<CategorySum>): DomainOf<"ReportCategoryTime">[] {
  return [...sums]
    .sort((a, b) => b.micros - a.micros || (a.name.join() < b.name.join() ? -1 : 1))
    .map(({ name, micros }) => ({ name, seconds: microsToSeconds(micros) }));
}

/** The breaks between activity in each bin. @param least shortest break, in microseconds */
export function* breaksInBins(
  activity: EventBatch,
  borders: readonly Micros[],
  least: Micros,
): Steps<NonNullable<ReportBin["breaks"]>[]> {
  const breaks = borders.slice(1).map((): DomainOf<"ReportStretch">[] => []);
  const ends: number[] = [];
  // A gap as long as the shortest break remains.
  yield* eachPart(yield* joinedWithin(activity, least - 1), borders, (bin, _at, micros, start) => {
    const end = ends[bin];
    if (end !== undefined) breaks[bin]?.push({ start: end, end: start, seconds: microsToSeconds(start - end) });
    ends[bin] = start + micros;
  });
  return breaks;
}
