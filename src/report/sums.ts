// Sums of lists in which each moment has one event.
import type { EventBatch } from "../domain/batch.js";
import type { JsonObject, JsonValue } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { type Decide, forEachData } from "../transforms/data.js";
import { forEachSlice, type Steps } from "../transforms/steps.js";

/** The category of data; `undefined` = ask again after a pause. */
export type CategoryOf = Decide<readonly string[]>;

/** A category with its time. */
export interface CategorySum {
  readonly name: readonly string[];
  micros: Micros;
}

/** A row of a list. */
export interface Sum {
  readonly key: string | null;
  readonly app?: string | null;
  micros: Micros;
  /** By category. */
  readonly categories: Map<string, CategorySum>;
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

/** Characters of keys after which a pause is due: a key can be as long as an event. */
const CHARACTERS_PER_SLICE = 500_000;

/** Sums by key, and within it by category. */
export function* sumsBy(
  events: EventBatch,
  keyOf: (data: JsonObject) => RowKey,
  categoryOf?: CategoryOf,
): Steps<ReadonlyMap<string, Sum>> {
  const sums = new Map<string, Sum>();
  let characters = 0;
  function decide(data: JsonObject): readonly [Sum, CategorySum | undefined] | undefined {
    if (characters > CHARACTERS_PER_SLICE) {
      characters = 0;
      return undefined;
    }
    const category = categoryOf?.(data);
    if (categoryOf !== undefined && category === undefined) return undefined;
    const row = keyOf(data);
    const id = identityOf(row);
    characters += id.length;
    const sum = sums.get(id) ?? { ...row, micros: 0, categories: new Map() };
    sums.set(id, sum);
    return [sum, category && categorySum(sum.categories, category)];
  }
  yield* forEachData(events, {
    decide,
    use(at, [sum, category]) {
      const duration = events.durations[at] as number;
      sum.micros += duration;
      if (category !== undefined) category.micros += duration;
    },
  });
  return sums;
}

/** Sums by category. */
export function* sumsByCategory(events: EventBatch, categoryOf: CategoryOf): Steps<ReadonlyMap<string, CategorySum>> {
  const sums = new Map<string, CategorySum>();
  yield* forEachData(events, {
    decide(data) {
      const name = categoryOf(data);
      return name && categorySum(sums, name);
    },
    use: (at, sum) => {
      sum.micros += events.durations[at] as number;
    },
  });
  return sums;
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
export function* sumsInBins(events: EventBatch, borders: readonly Micros[]): Steps<Float64Array> {
  const sums = new Float64Array(Math.max(0, borders.length - 1));
  yield* eachPart(events, borders, (bin, _at, micros) => {
    sums[bin] = (sums[bin] as number) + micros;
  });
  return sums;
}

/** The time of categories in each bin. */
export function* categoriesInBins(
  events: EventBatch,
  borders: readonly Micros[],
  categoryOf: CategoryOf,
): Steps<ReadonlyMap<string, CategorySum>[]> {
  const names: (readonly string[])[] = [];
  yield* forEachData(events, {
    decide: categoryOf,
    use: (at, name) => {
      names[at] = name;
    },
  });
  const bins = borders.slice(1).map(() => new Map<string, CategorySum>());
  yield* eachPart(events, borders, (bin, at, micros) => {
    categorySum(bins[bin] as Map<string, CategorySum>, names[at] as readonly string[]).micros += micros;
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
