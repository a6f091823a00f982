import type { EventBatch } from "../domain/batch.js";
import type { JsonObject, JsonValue } from "../domain/json.js";
import { isJsonObject } from "../domain/json.js";
import { microsToSeconds, serializeTimestamp } from "../domain/time.js";
import type { SearchPart } from "../service/search/search.js";
import { createTimeSlice } from "../util/time-slice.js";
import { csvLine, DataColumns } from "./csv.js";

/** Lines per chunk. */
const LINES = 512;

/**
 * Formats events as CSV. Reads them twice: the columns are only known after the last event, and years of events must
 * not be in memory.
 *
 * @param read reads the same events each time
 */
export async function* eventsAsCsv(
  read: () => Promise<AsyncIterable<EventBatch>>,
  columns: DataColumns = new DataColumns(),
): AsyncGenerator<string> {
  const timeSlice = createTimeSlice();
  for await (const batch of await read()) {
    for (let from = 0; from < batch.length; from += LINES) {
      for (let row = from; row < Math.min(batch.length, from + LINES); row++) columns.add(batch.dataAt(row));
      await timeSlice.yield();
    }
  }
  yield csvLine(["id", "timestamp", "duration", ...columns.names]);
  for await (const batch of await read()) {
    for (let from = 0; from < batch.length; from += LINES) {
      let text = "";
      for (let row = from; row < Math.min(batch.length, from + LINES); row++) {
        text += formatEvent(
          [],
          batch,
          { row, timestamp: batch.timestamps[row], duration: batch.durations[row] },
          columns,
        );
      }
      yield text;
      await timeSlice.yield();
    }
  }
}

/** Formats search results as CSV: events or groups. Omits the summary. */
export async function* searchAsCsv(find: () => AsyncIterable<SearchPart>, isGrouped: boolean): AsyncGenerator<string> {
  if (isGrouped) {
    yield csvLine(["key", "events", "seconds", "first", "last"]);
    for await (const part of find()) if ("groups" in part) yield formatGroups(part.groups);
    return;
  }
  const columns = new DataColumns();
  for await (const part of find()) {
    if ("hits" in part) for (const { batch, row } of part.hits) columns.add(batch.dataAt(row));
  }
  yield csvLine(["bucket", "id", "timestamp", "duration", ...columns.names]);
  for await (const part of find()) {
    if (!("hits" in part)) continue;
    yield part.hits.map((hit) => formatEvent([hit.bucketId], hit.batch, hit, columns)).join("");
  }
}

function formatGroups(groups: Extract<SearchPart, { groups: unknown }>["groups"]): string {
  return groups
    .map(({ key, events, seconds, first, last }) =>
      csvLine([key, events, seconds, serializeTimestamp(first), serializeTimestamp(last)]),
    )
    .join("");
}

interface Shown {
  readonly row: number;
  readonly timestamp: number | undefined;
  readonly duration: number | undefined;
}

function formatEvent(
  lead: readonly string[],
  batch: EventBatch,
  { row, timestamp = 0, duration = 0 }: Shown,
  columns: DataColumns,
): string {
  const id = batch.ids?.[row] || null;
  const own = csvLine([...lead, id, serializeTimestamp(timestamp), microsToSeconds(duration)]);
  if (columns.names.length === 0) return own;
  return `${own.slice(0, -2)},${columns.cellsAt(batch, row)}\r\n`;
}

/**
 * Formats query results as one CSV table: a list of events or dicts per period, with a column for the period if there
 * are several.
 *
 * @returns `undefined` for results other than lists of objects
 */
export function resultsAsCsv(results: readonly JsonValue[], periods: readonly string[]): string | undefined {
  const rows: { readonly period: string; readonly event: JsonObject; readonly data: JsonObject }[] = [];
  for (const [index, result] of results.entries()) {
    if (!Array.isArray(result)) return undefined;
    for (const item of result as readonly JsonValue[]) {
      if (!isJsonObject(item)) return undefined;
      rows.push({ period: periods[index] ?? "", ...splitItem(item) });
    }
  }
  const columns = new DataColumns();
  for (const { data } of rows) columns.add(data);
  const own = ["id", "timestamp", "duration"].filter((name) => rows.some(({ event }) => name in event));
  const lead = periods.length > 1 ? ["timeperiod"] : [];
  const lines = rows.map(({ period, event, data }) => {
    const front = csvLine([...lead.map(() => period), ...own.map((name) => event[name])]).slice(0, -2);
    const cells = columns.names.length === 0 ? [] : [columns.cells(data)];
    return `${[...(lead.length + own.length === 0 ? [] : [front]), ...cells].join(",")}\r\n`;
  });
  return csvLine([...lead, ...own, ...columns.names]) + lines.join("");
}

/** Splits an item into its event fields and data. Other dicts consist of data only. */
function splitItem(item: JsonObject): { event: JsonObject; data: JsonObject } {
  const { id, timestamp, duration, data } = item;
  const isEvent = typeof timestamp === "string" && typeof duration === "number" && isJsonObject(data);
  if (!isEvent) return { event: {}, data: item };
  return { event: { ...(id === undefined || id === null ? {} : { id }), timestamp, duration }, data };
}
