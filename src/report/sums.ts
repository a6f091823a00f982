// Sums of lists in which each moment has one event.
import type { EventBatch } from "../domain/batch.js";
import type { JsonObject, JsonValue } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { type Decide, forEachData } from "../transforms/data.js";
import { forEachSlice, STEP_EVENTS, type Steps } from "../transforms/steps.js";

/** The category of data; `undefined` = ask again after a pause. */
export type CategoryOf = Decide<readonly string[]>;

/** Categories by number. */
export class CategoryNumbers {
  readonly names: (readonly string[])[] = [];
  /** Rules return the same list for each of their events. */
  readonly #byList: Map<readonly string[], number> = new Map();
  readonly #byText: Map<string, number> = new Map();

  of(name: readonly string[]): number {
    const known = this.#byList.get(name);
    if (known !== undefined) return known;
    const text = JSON.stringify(name);
    const number = this.#byText.get(text) ?? this.names.push(name) - 1;
    this.#byText.set(text, number);
    this.#byList.set(name, number);
    return number;
  }
}

/** The time of all events with the same data. */
export interface DataTime {
  readonly data: JsonObject;
  /** Number of the category; 0 without categories. */
  readonly category: number;
  micros: Micros;
}

/** Sums up events by their data, so that every list only needs the distinct ones. */
export interface DataTimes {
  readonly times: readonly DataTime[];
  /** The time of each event's data, in the order of the events. */
  readonly ofEvents: readonly DataTime[];
}

/** @param categoryOf called once per data */
export function* timesByData(events: EventBatch, categoryOf: Decide<number> = () => 0): Steps<DataTimes> {
  const known = new Map<JsonObject, DataTime>();
  const ofEvents: DataTime[] = [];
  const { durations } = events;
  yield* forEachData(events, {
    decide(data) {
      const before = known.get(data);
      if (before !== undefined) return before;
      const category = categoryOf(data);
      if (category === undefined) return undefined;
      const time: DataTime = { data, category, micros: 0 };
      known.set(data, time);
      return time;
    },
    use(at, time) {
      time.micros += durations[at] as number;
      ofEvents.push(time);
    },
  });
  return { times: [...known.values()], ofEvents };
}

/** The key that distinguishes rows. */
export interface RowKey {
  readonly key: string | null;
  readonly app?: string | null;
}

/** A value as text: strings verbatim, anything else as JSON; `null` if there is none. */
export function toKey(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Merges keys that differ only in digits. */
export function foldNumbers(key: string | null): string | null {
  return key === null ? null : key.replace(/\d+/g, "#");
}

/** Equal for the same rows of two lists. */
export function identityOf({ key, app }: RowKey): string {
  return JSON.stringify([key, app ?? null]);
}

/** The key in an identity. */
export function keyIn(identity: string): readonly [key: string | null, app: string | null] {
  return JSON.parse(identity) as [string | null, string | null];
}

/** Times of categories: the number of each, followed by its time. */
export type CategoryTimes = readonly Micros[];

/** The rows of a list in columns, which are JSON. */
export interface ListSums {
  readonly ids: readonly string[];
  readonly micros: readonly Micros[];
  /** Of each row; empty without categories. */
  readonly categories: readonly CategoryTimes[];
}

/** Collects rows of a list. */
export class ListBuilder {
  readonly #rows: Map<string, number> = new Map();
  readonly #micros: Micros[] = [];
  readonly #categories: Micros[][] = [];

  add(id: string, micros: Micros): number {
    let row = this.#rows.get(id);
    if (row === undefined) {
      row = this.#micros.push(0) - 1;
      this.#rows.set(id, row);
    }
    this.#micros[row] = (this.#micros[row] as number) + micros;
    return row;
  }

  addCategory(row: number, category: number, micros: Micros): void {
    const times = this.#categories[row];
    if (times === undefined) this.#categories[row] = [category, micros];
    else addTime(times, category, micros);
  }

  finish(): ListSums {
    return { ids: [...this.#rows.keys()], micros: this.#micros, categories: this.#categories };
  }
}

/** Adds to the time of a category. */
export function addTime(times: Micros[], category: number, micros: Micros): void {
  for (let at = 0; at < times.length; at += 2) {
    if (times[at] !== category) continue;
    times[at + 1] = (times[at + 1] as number) + micros;
    return;
  }
  times.push(category, micros);
}

/** Characters of keys after which a pause is due: a key can be as long as an event. */
const CHARACTERS_PER_SLICE = 500_000;
/** Rows between two pauses. */
const ROWS_PER_SLICE: number = STEP_EVENTS / 4;

/** Sums by row. @param withCategories whether each row has the times of its categories */
export function* sumsBy(
  times: readonly DataTime[],
  idOf: (data: JsonObject) => string,
  withCategories: boolean,
): Steps<ListSums> {
  const list = new ListBuilder();
  let [characters, rows] = [0, 0];
  for (const { data, category, micros } of times) {
    const id = idOf(data);
    const row = list.add(id, micros);
    if (withCategories) list.addCategory(row, category, micros);
    characters += id.length;
    if (characters <= CHARACTERS_PER_SLICE && ++rows < ROWS_PER_SLICE) continue;
    characters = 0;
    rows = 0;
    yield;
  }
  return list.finish();
}

/** Sums by category. */
export function sumsByCategory(times: readonly DataTime[]): Micros[] {
  const sums: Micros[] = [];
  for (const { category, micros } of times) sums[category] = (sums[category] ?? 0) + micros;
  // Every category has at least one event.
  return sums.flatMap((micros, category) => [category, micros]);
}

/** A category with its time. */
export interface CategorySum {
  readonly name: readonly string[];
  micros: Micros;
}

/** Rules return the same list for each of their events. */
const ids: WeakMap<readonly string[], string> = new WeakMap();

/** The sum of a category, added if it is missing. */
export function categorySum(sums: Map<string, CategorySum>, name: readonly string[]): CategorySum {
  const id = ids.get(name) ?? JSON.stringify(name);
  ids.set(name, id);
  const sum = sums.get(id) ?? { name, micros: 0 };
  sums.set(id, sum);
  return sum;
}

/** A category with its subcategories. */
export interface CategoryNode {
  readonly name: readonly string[];
  /** With subcategories. */
  readonly micros: Micros;
  /** Without them. */
  readonly own: Micros;
}

/** The tree of categories with time: parents first, siblings longest first. */
export function treeOf(sums: Iterable<CategorySum>): readonly CategoryNode[] {
  interface Node {
    readonly name: readonly string[];
    micros: Micros;
    own: Micros;
    readonly children: Map<string, Node>;
  }
  const roots = new Map<string, Node>();
  for (const { name, micros } of sums) {
    let level = roots;
    for (const [depth, part] of name.entries()) {
      const node: Node = level.get(part) ?? { name: name.slice(0, depth + 1), micros: 0, own: 0, children: new Map() };
      node.micros += micros;
      if (depth === name.length - 1) node.own += micros;
      level.set(part, node);
      level = node.children;
    }
  }
  const listed = (nodes: ReadonlyMap<string, Node>): CategoryNode[] =>
    [...nodes]
      .sort(([one, a], [other, b]) => b.micros - a.micros || (one < other ? -1 : 1))
      .flatMap(([, node]) => [node, ...listed(node.children)]);
  return listed(roots);
}

/** The time of events in each bin. @param borders ascending, of all bins */
export function* sumsInBins(events: EventBatch, borders: readonly Micros[]): Steps<Micros[]> {
  const sums = new Array<Micros>(Math.max(0, borders.length - 1)).fill(0);
  yield* eachPart(events, borders, (bin, _at, micros) => {
    sums[bin] = (sums[bin] as number) + micros;
  });
  return sums;
}

/** The time of categories in each bin. */
export function* categoriesInBins(
  events: EventBatch,
  borders: readonly Micros[],
  ofEvents: DataTimes["ofEvents"],
): Steps<Micros[][]> {
  const bins = borders.slice(1).map((): Micros[] => []);
  yield* eachPart(events, borders, (bin, at, micros) => {
    addTime(bins[bin] as Micros[], (ofEvents[at] as DataTime).category, micros);
  });
  return bins;
}

type OnPart = (bin: number, at: number, micros: Micros, start: Micros) => void;

/** Calls back for the part of each event in each bin. @param events ascending without overlaps */
export function* eachPart(events: EventBatch, borders: readonly Micros[], onPart: OnPart): Steps<void> {
  const { timestamps, length } = events;
  let bin = 0;
  yield* forEachSlice(length, (from, to) => {
    for (let at = from; at < to; at++) {
      let start = timestamps[at] as number;
      const end = events.endAt(at);
      while (bin < borders.length - 1 && (borders[bin + 1] as number) <= start) bin++;
      while (bin < borders.length - 1 && start < end) {
        const border = borders[bin + 1] as number;
        const partEnd = Math.min(end, border);
        const partStart = Math.max(start, borders[bin] as number);
        if (partEnd > partStart) onPart(bin, at, partEnd - partStart, partStart);
        start = partEnd;
        if (partEnd === border) bin++;
      }
    }
  });
}
