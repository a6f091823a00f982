import type { DataTable, EventBatch } from "../../domain/batch.js";
import type { JsonObject } from "../../domain/json.js";
import { type Path, valueAt } from "../../domain/json-path.js";
import { type Micros, microsToSeconds } from "../../domain/time.js";
import { ActivityError } from "../../errors.js";
import { CoverageUp } from "./coverage.js";
import type { Days } from "./days.js";
import { type FilterWork, meetingRows } from "./filters.js";
import type { SearchedBucket, SearchGroup, SearchPart } from "./search.js";
import { Totals } from "./totals.js";

/** How to group. */
export interface Grouping {
  readonly work: FilterWork;
  readonly days: Days;
  readonly group: "day" | Path;
  readonly foldsNumbers?: boolean;
  readonly limit?: number;
}

/** Groups of one search. */
const MOST_GROUPS = 200_000;

/** Days of one event between two looks at the clock. */
const DAYS_AT_ONCE = 100;

class Group {
  events = 0;
  duration = 0;
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;
  bucket: SearchedBucket | undefined;
  coverage: CoverageUp = new CoverageUp();
}

/** What the events that meet a filter come to, by day or by the value of a key, the longest first; then all of them. */
export async function* grouped(
  buckets: readonly SearchedBucket[],
  { work, days, group, foldsNumbers = false, limit }: Grouping,
): AsyncGenerator<SearchPart, void, undefined> {
  const groups = new Map<string | null, Group>();
  const totals = new Totals(days);
  const keyOf = group === "day" ? undefined : keysBy(group, foldsNumbers);

  function add(key: string | null, bucket: SearchedBucket, start: Micros, end: Micros): void {
    let found = groups.get(key);
    if (found === undefined) {
      if (groups.size >= MOST_GROUPS) throw tooMany();
      found = new Group();
      groups.set(key, found);
    }
    // Buckets come one after the other; what overlaps in another one counts again.
    if (found.bucket !== bucket) {
      found.bucket = bucket;
      found.coverage = new CoverageUp();
    }
    const one = found;
    one.events++;
    if (start < one.first) one.first = start;
    if (end > one.last) one.last = end;
    one.coverage.add(start, end, (from, to) => {
      one.duration += bucket.active === undefined ? to - from : bucket.active.within(from, to);
    });
  }

  /** @returns a promise for an event of several days */
  function addRow(
    bucket: SearchedBucket,
    batch: EventBatch,
    row: number,
    coverage: CoverageUp,
  ): Promise<void> | undefined {
    const start = batch.timestamps[row] as number;
    const end = Math.max(start, batch.endAt(row));
    if (bucket.active !== undefined && bucket.active.within(start, end) === 0) return undefined;
    totals.add(start, end, coverage, bucket.active);
    if (keyOf !== undefined) {
      add(keyOf(batch, row), bucket, start, end);
      return undefined;
    }
    const day = days.of(start);
    add(day.date, bucket, start, Math.min(end, day.end));
    return day.end < end ? addDays(bucket, day.end, end) : undefined;
  }

  /** Others run in between: an event may last for centuries. */
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
    const coverage = new CoverageUp();
    for await (const batch of bucket.read("oldest")) {
      for (const row of await meetingRows(batch, work)) {
        const adding = addRow(bucket, batch, row, coverage);
        if (adding !== undefined) await adding;
      }
      yield { hits: [] };
    }
  }
  yield { groups: sorted(groups).slice(0, limit) };
  yield { summary: totals.summary(groups.size) };
}

function sorted(groups: ReadonlyMap<string | null, Group>): SearchGroup[] {
  const rows = Array.from(groups, ([key, { events, duration, first, last }]) => {
    return { key, events, seconds: microsToSeconds(duration), first, last };
  });
  return rows.sort((a, b) => b.seconds - a.seconds || b.events - a.events || ((a.key ?? "") < (b.key ?? "") ? -1 : 1));
}

/** The text that the data of a row are grouped by; decided once about each entry of a table. */
function keysBy(path: Path, foldsNumbers: boolean): (batch: EventBatch, row: number) => string | null {
  const known = new WeakMap<DataTable, (string | null | undefined)[]>();

  function keyOf(data: JsonObject): string | null {
    const value = valueAt(data, path);
    const text = typeof value === "string" ? value : value === undefined ? null : JSON.stringify(value);
    return text !== null && foldsNumbers ? text.replace(/\d+/g, "#") : text;
  }

  return (batch, row) => {
    const { table } = batch;
    if (!batch.isKept && table.size >= batch.length) return keyOf(batch.dataAt(row));
    let keys = known.get(table);
    if (keys === undefined) {
      keys = new Array<string | null | undefined>(table.size).fill(undefined);
      known.set(table, keys);
    }
    const ref = batch.refAt(row);
    let key = keys[ref];
    if (key === undefined) {
      // Parsed anew: a table would keep its values.
      key = keyOf(JSON.parse(table.textAt(ref)) as JsonObject);
      keys[ref] = key;
    }
    return key;
  };
}

function tooMany(): ActivityError {
  const fix = "narrow the filter or the range, or fold numbers";
  return new ActivityError("QUERY_TOO_LARGE", `the search has more than ${MOST_GROUPS} groups; ${fix}`);
}
