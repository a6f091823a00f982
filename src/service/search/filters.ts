import { EventBatch } from "../../domain/batch.js";
import type { JsonObject, JsonValue } from "../../domain/json.js";
import { AbandonedError } from "../../errors.js";
import { CATEGORY_SETTINGS, categoriesInForce } from "../../filter/category-sets.js";
import { compileFilter, needsCategories } from "../../filter/compile.js";
import type { EventFilter } from "../../filter/event-filter.js";
import type { Term } from "../../filter/term.js";
import type { Storage } from "../../storage/storage.js";
import type { TimeSlice } from "../../util/time-slice.js";

/** What decides about events, and may be asked whether anybody still waits. */
export interface FilterWork {
  readonly filter: EventFilter;
  readonly isGone: () => boolean;
  /** One for all batches: each by itself may take less than a slice. */
  readonly timeSlice: TimeSlice;
}

/** Decisions between two looks at the clock: mostly they are remembered ones. */
const DECISIONS = 256;

/**
 * Makes a filter of terms, with the categories that are in force now.
 *
 * @throws ActivityError `INVALID_INPUT` for a pattern that cannot be compiled
 */
export async function filterOf(storage: Storage, terms: readonly Term[]): Promise<EventFilter> {
  if (!needsCategories(terms)) return compileFilter(terms);
  const values = await Promise.all(CATEGORY_SETTINGS.map((key) => storage.settings.get(key)));
  const settings: Record<string, JsonValue> = {};
  CATEGORY_SETTINGS.forEach((key, index) => {
    const value = values[index];
    if (value !== undefined) settings[key] = value;
  });
  return compileFilter(terms, categoriesInForce(settings as JsonObject));
}

/** The rows of a batch that meet a filter; others run in between. @throws AbandonedError */
export async function meetingRows(batch: EventBatch, { filter, isGone, timeSlice }: FilterWork): Promise<Uint32Array> {
  const rows = new Uint32Array(batch.length);
  let count = 0;
  for (let row = 0; row < batch.length; ) {
    const meets = filter.testAt(batch, row);
    if (meets === true) rows[count++] = row;
    if (meets !== undefined) row++;
    if (meets !== undefined && row % DECISIONS !== 0) continue;
    await timeSlice.yield();
    if (isGone()) throw new AbandonedError();
  }
  await timeSlice.yield();
  return rows.subarray(0, count);
}

/** Some rows of a batch. */
export function rowsOf(batch: EventBatch, rows: Uint32Array): EventBatch {
  if (rows.length === batch.length) return batch;
  const { ids, table } = batch;
  return EventBatch.withTable({
    timestamps: Float64Array.from(rows, (row) => batch.timestamps[row] as number),
    durations: Float64Array.from(rows, (row) => batch.durations[row] as number),
    ids: ids === null ? null : Float64Array.from(rows, (row) => ids[row] as number),
    refs: Float64Array.from(rows, (row) => batch.refAt(row)),
    table,
  });
}

/** The events of a read that meet a filter, batch by batch. */
export async function* meeting(batches: AsyncIterable<EventBatch>, work: FilterWork): AsyncGenerator<EventBatch> {
  for await (const batch of batches) {
    const rows = await meetingRows(batch, work);
    if (rows.length > 0) yield rowsOf(batch, rows);
  }
}

/** Events behind the first ones, and no more than a number of them. */
export async function* paged(
  batches: AsyncIterable<EventBatch>,
  { offset = 0, limit = Number.POSITIVE_INFINITY }: { readonly offset?: number; readonly limit?: number },
): AsyncGenerator<EventBatch> {
  let over = offset;
  let left = limit;
  if (left <= 0) return;
  for await (const batch of batches) {
    const from = Math.min(over, batch.length);
    over -= from;
    const to = Math.min(batch.length, from + left);
    if (from === to) continue;
    left -= to - from;
    yield batch.slice(from, to);
    if (left <= 0) return;
  }
}
