import type { DataTable, EventBatch } from "../../domain/batch.js";
import type { JsonObject } from "../../domain/json.js";
import { type Path, valueAt } from "../../domain/json-path.js";
import { type Micros, microsToSeconds } from "../../domain/time.js";
import { ActivityError } from "../../errors.js";
import type { Steps } from "../../filter/checks.js";
import { formatCategory } from "../../filter/term.js";
import { AscendingCoverage } from "./coverage.js";
import type { Days } from "./days.js";
import { type FilterWork, findMatchingRows, runInSlices } from "./filters.js";
import type { SearchedBucket, SearchGroup, SearchPart } from "./search.js";
import { Totals } from "./totals.js";

/** The group key of data; `null` for a separate group, steps if it takes longer. */
export type GroupKey = (data: JsonObject) => string | null | Steps<string>;

/** Groups by the value of a key. */
export function groupByValue(path: Path): GroupKey {
  return (data) => {
    const value = valueAt(data, path);
    return typeof value === "string" ? value : value === undefined ? null : JSON.stringify(value);
  };
}

/** Groups by category, in the notation of filters. */
export function groupByCategory(
  categoryOf: (data: JsonObject) => readonly string[] | Steps<readonly string[]>,
): GroupKey {
  function* formatSteps(steps: Steps<readonly string[]>): Steps<string> {
    return formatCategory(yield* steps);
  }
  return (data) => {
    const category = categoryOf(data);
    return "next" in category ? formatSteps(category) : formatCategory(category);
  };
}

/** Options of grouping. */
export interface GroupOptions {
  readonly work: FilterWork;
  readonly days: Days;
  readonly group: "day" | GroupKey;
  readonly foldsNumbers?: boolean;
  readonly limit?: number;
}

/** Maximum number of groups of one search. */
const MAX_GROUPS = 200_000;

/** Days of one event between two checks of the clock. */
const DAYS_AT_ONCE = 100;

class Group {
  events = 0;
  duration = 0;
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;
  bucket: SearchedBucket | undefined;
  coverage: AscendingCoverage = new AscendingCoverage();
}

/** The totals of matching events by day or by key, the longest first; then the totals of all events. */
export async function* groupMatches(
  buckets: readonly SearchedBucket[],
  { work, days, group, foldsNumbers = false, limit }: GroupOptions,
): AsyncGenerator<SearchPart, void, undefined> {
  const groups = new Map<string | null, Group>();
  const totals = new Totals(days);
  const keyOf = group === "day" ? undefined : createKeyLookup(group, foldsNumbers, work.check);

  function add(key: string | null, bucket: SearchedBucket, start: Micros, end: Micros): void {
    let found = groups.get(key);
    if (found === undefined) {
      if (groups.size >= MAX_GROUPS) throw tooManyGroups();
      found = new Group();
      groups.set(key, found);
    }
    // Buckets come one after another; overlaps between buckets are added up.
    if (found.bucket !== bucket) {
      found.bucket = bucket;
      found.coverage = new AscendingCoverage();
    }
    const one = found;
    one.events++;
    if (start < one.first) one.first = start;
    if (end > one.last) one.last = end;
    one.coverage.add(start, end, (from, to) => {
      one.duration += bucket.active === undefined ? to - from : bucket.active.durationWithin(from, to);
    });
  }

  /** @returns a promise if this takes longer: for an event of several days, and some categories */
  function addRow(
    bucket: SearchedBucket,
    batch: EventBatch,
    row: number,
    coverage: AscendingCoverage,
  ): Promise<void> | undefined {
    const start = batch.timestamps[row] as number;
    const end = Math.max(start, batch.endAt(row));
    if (bucket.active !== undefined && bucket.active.durationWithin(start, end) === 0) return undefined;
    totals.add(start, end, coverage, bucket.active);
    if (keyOf !== undefined) {
      const key = keyOf(batch, row);
      if (key instanceof Promise) return key.then((later) => add(later, bucket, start, end));
      add(key, bucket, start, end);
      return undefined;
    }
    const day = days.of(start);
    add(day.date, bucket, start, Math.min(end, day.end));
    return day.end < end ? addDays(bucket, day.end, end) : undefined;
  }

  /** Yields to other work: an event may last for centuries. */
  async function addDays(bucket: SearchedBucket, start: Micros, end: Micros): Promise<void> {
    for (let from = start, count = 1; from < end; count++) {
      const day = days.of(from);
      add(day.date, bucket, from, Math.min(end, day.end));
      from = day.end;
      if (count % DAYS_AT_ONCE !== 0) continue;
      work.check();
      await work.timeSlice.yield();
    }
  }

  for (const bucket of buckets) {
    const coverage = new AscendingCoverage();
    for await (const batch of bucket.read("oldest")) {
      for (const row of await findMatchingRows(batch, work)) {
        const adding = addRow(bucket, batch, row, coverage);
        if (adding !== undefined) await adding;
      }
      yield { hits: [] };
    }
  }
  yield { groups: sortGroups(groups).slice(0, limit) };
  yield { summary: totals.summary(groups.size) };
}

function sortGroups(groups: ReadonlyMap<string | null, Group>): SearchGroup[] {
  const rows = Array.from(groups, ([key, { events, duration, first, last }]) => {
    return { key, events, seconds: microsToSeconds(duration), first, last };
  });
  return rows.sort((a, b) => b.seconds - a.seconds || b.events - a.events || ((a.key ?? "") < (b.key ?? "") ? -1 : 1));
}

/** The group key of a row; computed once for each entry of a table. */
function createKeyLookup(
  keyOf: GroupKey,
  foldsNumbers: boolean,
  check: () => void,
): (batch: EventBatch, row: number) => string | null | Promise<string | null> {
  type Key = string | null;
  const known = new WeakMap<DataTable, (Key | undefined)[]>();
  const foldNumbers = (key: Key): Key => (key !== null && foldsNumbers ? key.replace(/\d+/g, "#") : key);

  function computeKey(data: JsonObject): Key | Promise<Key> {
    const key = keyOf(data);
    return typeof key === "object" && key !== null ? runInSlices(key, check).then(foldNumbers) : foldNumbers(key);
  }

  return (batch, row) => {
    const { table } = batch;
    if (!batch.isKept && table.size >= batch.length) return computeKey(batch.dataAt(row));
    let keys = known.get(table);
    if (keys === undefined) {
      keys = new Array<Key | undefined>(table.size).fill(undefined);
      known.set(table, keys);
    }
    const ref = batch.refAt(row);
    const before = keys[ref];
    if (before !== undefined) return before;
    // Parsed again: a table would keep its values.
    const key = computeKey(JSON.parse(table.textAt(ref)) as JsonObject);
    const remember = (decision: Key): Key => (keys[ref] = decision);
    return key instanceof Promise ? key.then(remember) : remember(key);
  };
}

function tooManyGroups(): ActivityError {
  const fix = "narrow the filter or the range, or fold numbers";
  return new ActivityError("QUERY_TOO_LARGE", `the search has more than ${MAX_GROUPS} groups; ${fix}`);
}
