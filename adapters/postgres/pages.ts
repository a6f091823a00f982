import { type DataTable, EventBatch } from "../../src/domain/batch.js";
import type { JsonObject } from "../../src/domain/json.js";
import type { EventRange } from "../../src/storage/storage.js";
import { micros } from "./forms.js";
import type { Row } from "./pool.js";

/** Events of the first page. */
export const FIRST_PAGE = 1_000;
const MOST_EVENTS = 4_000;
/** What a page should hold, in characters of JSON. */
const PAGE_LENGTH = 1_000_000;
/** Distinct data of a read that are remembered, to be one object for all events that have them. */
const MOST_DATAS = 20_000;

/** Columns of an event in every statement that reads some. */
export const EVENT_COLUMNS = "e.id, e.start_us, e.duration_us, e.data_text";

/**
 * A parameter whose value the planner does not see. It takes every bucket for one of average size then. By the value it
 * would take a bucket that has grown since statistics were made for an empty one, and reading all of its events to sort
 * them for as cheap as the index that has them in order.
 */
export function unseen(parameter: string): string {
  return `(select ${parameter})`;
}

/** The namespace of the events that a statement looks for. */
export const OF_NAMESPACE: string = unseen("$1::text");

/** How pages of a range are asked for: which come next is decided by the last event so far, not by counting. */
export function pageStatement({ order }: EventRange): string {
  const [direction, beyond] = order === "oldest" ? ["asc", ">"] : ["desc", "<"];
  return `
    select ${EVENT_COLUMNS} from :"schema".events e
    where e.namespace = ${OF_NAMESPACE} and e.bucket = ${unseen("$2::bigint")}
      and e.start_us between $3::bigint - $4::bigint and $5 and e.start_us + e.duration_us >= $3
      and (e.start_us, e.id) ${beyond} ($6::bigint, $7::bigint)
    order by e.start_us ${direction}, e.id ${direction}
    limit $8`;
}

/** The same for the first page, with the bucket and its version; a row without an event when there is none. */
export function firstStatement({ order }: EventRange): string {
  const direction = order === "oldest" ? "asc" : "desc";
  return `
    select b.bucket, b.version, b.longest_us, ${EVENT_COLUMNS}
    from :"schema".buckets b
    left join lateral (
      select * from :"schema".events e
      where e.namespace = ${OF_NAMESPACE} and e.bucket = b.bucket
        and e.start_us between $3::bigint - b.longest_us and $4 and e.start_us + e.duration_us >= $3
      order by e.start_us ${direction}, e.id ${direction}
      limit $5
    ) e on true
    where b.namespace = $1 and b.id_hash = $2
    order by e.start_us ${direction}, e.id ${direction}`;
}

/** The ends of a range as arguments. */
export function boundsOf({ start, end }: EventRange): [start: string, end: string] {
  return [micros(start ?? Number.NEGATIVE_INFINITY), micros(end ?? Number.POSITIVE_INFINITY)];
}

/** Makes batches of rows; equal data of one read are one object. */
export class BatchMaker {
  #entries: Map<string, Entry> = new Map();

  /** @param rows with `EVENT_COLUMNS` from a column on */
  make(rows: readonly Row[], from = 0): EventBatch {
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
    if (this.#entries.size >= MOST_DATAS) this.#entries = new Map();
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

/** Characters of JSON in a batch, events counted with their columns. */
export function lengthOf(batch: EventBatch): number {
  let length = batch.length * 32;
  for (let ref = 0; ref < batch.table.size; ref++) length += batch.table.textAt(ref).length;
  return length;
}

/** How many events to ask for next, so that pages of large events do not get too large. */
export function nextPageEvents(rows: readonly Row[], textColumn: number): number {
  const length = rows.reduce((sum, row) => sum + (row[textColumn]?.length ?? 0) + 32, 0);
  const average = length / Math.max(1, rows.length);
  return Math.max(1, Math.min(MOST_EVENTS, Math.floor(PAGE_LENGTH / Math.max(1, average))));
}
