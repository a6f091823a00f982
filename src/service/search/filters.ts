import type { QueryIn } from "../../api/calls.js";
import { EventBatch } from "../../domain/batch.js";
import type { JsonObject, JsonValue } from "../../domain/json.js";
import { fieldUnfit } from "../../errors.js";
import { activeCategoriesIn, CATEGORY_SETTINGS } from "../../filter/category-sets.js";
import type { Steps } from "../../filter/checks.js";
import {
  type CompiledCategory,
  compileCategories,
  compileFilter,
  createCategorizer,
  needsCategories,
} from "../../filter/compile.js";
import type { EventFilter } from "../../filter/event-filter.js";
import { parseTerm, type Term } from "../../filter/term.js";
import type { Storage, TimeRange } from "../../storage/storage.js";
import { createTimeSlice, type TimeSlice } from "../../util/time-slice.js";

/** Maximum number of conditions of one filter. */
const MAX_TERMS = 100;

/** Parses the conditions of a filter. @throws ActivityError `INVALID_INPUT` with the position of the mistake */
export function parseTerms(texts: readonly string[]): readonly Term[] {
  if (texts.length <= MAX_TERMS) return texts.map(parseTerm);
  throw fieldUnfit("filter", `must be at most ${MAX_TERMS} terms, got ${texts.length}`);
}

/** A range with optional ends. */
export function toTimeRange({ start, end }: Pick<QueryIn<"getTimeline">, "start" | "end">): TimeRange {
  return { ...(typeof start === "number" && { start }), ...(typeof end === "number" && { end }) };
}

/** Filters events, and ends if it takes too long. */
export interface FilterWork {
  readonly filter: EventFilter;
  /** @throws ActivityError `QUERY_TOO_LARGE`, AbandonedError */
  readonly check: () => void;
  /** Shared by all batches: each of them may take less than a slice. */
  readonly timeSlice: TimeSlice;
}

/** Decisions between two checks of the clock: most are remembered ones. */
const DECISIONS = 256;

/**
 * Compiles a filter of conditions, with the current categories. Without buckets it needs none, and a caller that may
 * read no bucket must not learn of mistakes in them.
 *
 * @param buckets those to filter
 * @throws ActivityError `INVALID_INPUT` for an invalid pattern
 */
export async function createFilter(
  storage: Storage,
  terms: readonly Term[],
  buckets: readonly unknown[],
): Promise<EventFilter> {
  return compileFilter(terms, buckets.length > 0 && needsCategories(terms) ? await loadCategories(storage) : []);
}

/** Compiled categories, and the settings that they were compiled from. */
interface KnownCategories {
  readonly values: readonly (JsonValue | undefined)[];
  readonly compiled: Promise<readonly CompiledCategory[]>;
}

const known: WeakMap<Storage, KnownCategories> = new WeakMap();

/**
 * Creates a function that finds the category of data, with the current categories.
 *
 * @param buckets as in `createFilter`
 */
export async function loadCategorizer(
  storage: Storage,
  buckets: readonly unknown[],
): Promise<ReturnType<typeof createCategorizer>> {
  return createCategorizer(buckets.length > 0 ? await loadCategories(storage) : []);
}

/** The current categories, compiled once if a storage returns the same values until they change. */
async function loadCategories(storage: Storage): Promise<readonly CompiledCategory[]> {
  const values = await Promise.all(CATEGORY_SETTINGS.map((key) => storage.settings.get(key)));
  const before = known.get(storage);
  if (before?.values.every((value, index) => value === values[index])) return before.compiled;
  const compiled = runInSlices(compileCategories(activeCategoriesIn(toSettings(values))));
  known.set(storage, { values, compiled });
  return compiled;
}

function toSettings(values: readonly (JsonValue | undefined)[]): JsonObject {
  const settings: Record<string, JsonValue> = {};
  CATEGORY_SETTINGS.forEach((key, index) => {
    const value = values[index];
    if (value !== undefined) settings[key] = value;
  });
  return settings;
}

/** Finishes a computation; other work runs in between. @param check throws if it must end */
export async function runInSlices<Result>(steps: Steps<Result>, check: () => void = () => undefined): Promise<Result> {
  const timeSlice = createTimeSlice();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    check();
    const pause = timeSlice.yield();
    if (pause !== undefined) await pause;
  }
}

/**
 * The rows of a batch that meet a filter; other work runs in between.
 *
 * @throws ActivityError `QUERY_TOO_LARGE`, AbandonedError
 */
export async function findMatchingRows(
  batch: EventBatch,
  { filter, check, timeSlice }: FilterWork,
): Promise<Uint32Array> {
  const rows = new Uint32Array(batch.length);
  let count = 0;
  for (let row = 0; row < batch.length; ) {
    const meets = filter.testAt(batch, row);
    if (meets === true) rows[count++] = row;
    if (meets !== undefined) row++;
    if (meets !== undefined && row % DECISIONS !== 0) continue;
    await timeSlice.yield();
    check();
  }
  check();
  await timeSlice.yield();
  return rows.subarray(0, count);
}

/** Selects rows of a batch. */
export function selectRows(batch: EventBatch, rows: Uint32Array): EventBatch {
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

/** The events of a read that meet a filter, batch by batch; some batches are empty. */
export async function* filterBatches(
  batches: AsyncIterable<EventBatch>,
  work: FilterWork,
): AsyncGenerator<EventBatch, void, undefined> {
  for await (const batch of batches) yield selectRows(batch, await findMatchingRows(batch, work));
}

/** Skips the first events, and limits the number of the others. */
export async function* paginate(
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
