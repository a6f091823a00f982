import { type DataTable, EventBatch } from "../../src/domain/batch.js";
import type { JsonObject } from "../../src/domain/json.js";
import type { EventRange } from "../../src/storage/storage.js";
import { toBigint } from "./encoding.js";
import type { Row } from "./pool.js";

/** Events of the first page. */
export const FIRST_PAGE_EVENTS = 1_000;
const MAX_PAGE_EVENTS = 4_000;
/** Target size of a page, in characters of JSON. */
const PAGE_LENGTH = 1_000_000;
/** Distinct event data that a read remembers, so that events with equal data share one object. */
const MAX_KNOWN_DATA = 20_000;

/** Columns of an event in every statement that reads events. */
export const EVENT_COLUMNS = "e.id, e.start_us, e.duration_us, e.data_text";

/**
 * A parameter whose value the planner does not see. It then assumes a bucket of average size. With the value, it would
 * take a bucket that has grown since the last statistics for an empty one, and prefer sorting all its events to using
 * the ordered index.
 */
export function hideFromPlanner(parameter: string): string {
  return `(select ${parameter})`;
}

/** The namespace of a statement's events. */
export const NAMESPACE_ARGUMENT: string = hideFromPlanner("$1::text");

/** The statement for the next page of a range. It continues after the last event, without counting. */
export function pageStatement({ order }: EventRange): string {
  const [direction, beyond] = order === "oldest" ? ["asc", ">"] : ["desc", "<"];
  return `
    select ${EVENT_COLUMNS} from :"schema".events e
    where e.namespace = ${NAMESPACE_ARGUMENT} and e.bucket = ${hideFromPlanner("$2::bigint")}
      and e.start_us between $3::bigint - $4::bigint and $5 and e.start_us + e.duration_us >= $3
      and (e.start_us, e.id) ${beyond} ($6::bigint, $7::bigint)
    order by e.start_us ${direction}, e.id ${direction}
    limit $8`;
}

/** The statement for the first page, with the bucket and its version; one row without an event if there is none. */
export function firstPageStatement({ order }: EventRange): string {
  const direction = order === "oldest" ? "asc" : "desc";
  return `
    select b.bucket, b.version, b.longest_us, ${EVENT_COLUMNS}
    from :"schema".buckets b
    left join lateral (
      select * from :"schema".events e
      where e.namespace = ${NAMESPACE_ARGUMENT} and e.bucket = b.bucket
        and e.start_us between $3::bigint - b.longest_us and $4 and e.start_us + e.duration_us >= $3
      order by e.start_us ${direction}, e.id ${direction}
      limit $5
    ) e on true
    where b.namespace = $1 and b.id_hash = $2
    order by e.start_us ${direction}, e.id ${direction}`;
}

/** The bounds of a range as arguments. */
export function boundsOf({ start, end }: EventRange): [start: string, end: string] {
  return [toBigint(start ?? Number.NEGATIVE_INFINITY), toBigint(end ?? Number.POSITIVE_INFINITY)];
}

/** Converts rows to batches; equal data of one read become one object. */
export class BatchBuilder {
  #entries: Map<string, Entry> = new Map();

  /** @param rows with `EVENT_COLUMNS`, starting at a column */
  build(rows: readonly Row[], from = 0): EventBatch {
    const length = rows.length;
    const ids = new Float64Array(length);
    const timestamps = new Float64Array(length);
    const durations = new Float64Array(length);
    const refs = new Uint32Array(length);
    const table = new EntryTable();
    const refOf = new Map<Entry, number>();
    for (const [index, row] of rows.entries()) {
      ids[index] = Number(row[from]);
      timestamps[index] = Number(row[from + 1]);
      durations[index] = Number(row[from + 2]);
      const entry = this.#entryOf(row[from + 3] as string);
      let ref = refOf.get(entry);
      if (ref === undefined) {
        ref = table.entries.push(entry) - 1;
        refOf.set(entry, ref);
      }
      refs[index] = ref;
    }
    return EventBatch.withTable({ ids, timestamps, durations, refs, table });
  }

  #entryOf(text: string): Entry {
    const known = this.#entries.get(text);
    if (known !== undefined) return known;
    if (this.#entries.size >= MAX_KNOWN_DATA) this.#entries = new Map();
    const entry = { text, value: undefined };
    this.#entries.set(text, entry);
    return entry;
  }
}

interface Entry {
  readonly text: string;
  value: JsonObject | undefined;
}

class EntryTable implements DataTable {
  readonly entries: Entry[] = [];

  get size(): number {
    return this.entries.length;
  }

  textAt(ref: number): string {
    return (this.entries[ref] as Entry).text;
  }

  valueAt(ref: number): JsonObject {
    const entry = this.entries[ref] as Entry;
    entry.value ??= JSON.parse(entry.text) as JsonObject;
    return entry.value;
  }
}

/** Characters of JSON in a batch, including the columns of its events. */
export function batchLength(batch: EventBatch): number {
  let length = batch.length * 32;
  for (let ref = 0; ref < batch.table.size; ref++) length += batch.table.textAt(ref).length;
  return length;
}

/** Size of the next page, so that pages of large events stay small. */
export function nextPageEvents(rows: readonly Row[], textColumn: number): number {
  const length = rows.reduce((sum, row) => sum + (row[textColumn]?.length ?? 0) + 32, 0);
  const average = length / Math.max(1, rows.length);
  return Math.max(1, Math.min(MAX_PAGE_EVENTS, Math.floor(PAGE_LENGTH / Math.max(1, average))));
}
