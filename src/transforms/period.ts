import type { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { BatchBuilder, emptyBatch, idAt, NO_DATA } from "./batches.js";
import { sortByTimestamp } from "./sort.js";
import { forEachSlice, repeatWhile, STEP_EVENTS, type Steps } from "./steps.js";

/**
 * Cuts events to the periods of a filter: one event per overlap, with the data and ID of the original
 * (docs/reference/compatibility.md#period-intersections).
 *
 *     events   [---A---][-----B-----]
 *     filters     [--------]   [--]
 *     result      [--A-][-B]   [B ]
 *
 * A zero-length event stays if it is inside a filter, and a zero-length filter leaves a zero-length piece; borders are
 * inside. The filters are traversed once: if events overlap, an earlier one can use up part of a later one's time, and
 * if filters overlap, no time counts twice.
 *
 * @returns ascending by start
 */
export function* periodIntersect(events: EventBatch, filters: EventBatch): Steps<EventBatch> {
  const cut = yield* sortByTimestamp(events);
  const within = yield* sortByTimestamp(filters);
  if (cut.length === 0 || within.length === 0) return emptyBatch;
  const pieces = new BatchBuilder(cut.length + within.length);
  const state: Cutting = {
    cut,
    within,
    pieces,
    event: 0,
    filter: 0,
    start: cut.timestamps[0] as number,
    isUsed: false,
  };
  yield* repeatWhile(() => cutSome(state));
  return pieces.finish();
}

/** Progress: the current event and filter, and the start of the event's remainder. */
interface Cutting {
  readonly cut: EventBatch;
  readonly within: EventBatch;
  readonly pieces: BatchBuilder;
  event: number;
  filter: number;
  start: Micros;
  /** Whether a zero-length piece exists at this start. */
  isUsed: boolean;
}

function cutSome(state: Cutting): boolean {
  const { pieces, within } = state;
  const { length, timestamps, durations, datas, ids } = state.cut;
  let { event, filter, start, isUsed } = state;
  for (let round = 0; round < STEP_EVENTS; round++) {
    const end = (timestamps[event] as number) + (durations[event] as number);
    const filterStart = within.timestamps[filter] as number;
    const filterEnd = filterStart + (within.durations[filter] as number);
    const touchCounts = start === end || filterStart === filterEnd;
    let isDone = end < filterStart || (end === filterStart && !touchCounts);
    if (!isDone) {
      if (start > filterEnd || (start === filterEnd && (isUsed || !touchCounts))) {
        if (++filter === within.length) return false;
        continue;
      }
      const from = Math.max(start, filterStart);
      start = Math.min(end, filterEnd);
      pieces.add(from, start - from, datas[event] as JsonObject, idAt(ids, event));
      isUsed = start === from;
      isDone = start === end;
    }
    if (isDone) {
      if (++event === length) return false;
      start = timestamps[event] as number;
      isUsed = false;
    }
  }
  state.event = event;
  state.filter = filter;
  state.start = start;
  state.isUsed = isUsed;
  return true;
}

/**
 * The periods that either list covers, joined where they overlap or touch, with empty data
 * (docs/reference/compatibility.md#period-unions).
 *
 * @returns ascending by start
 */
export function* periodUnion(a: EventBatch, b: EventBatch): Steps<EventBatch> {
  const first = yield* sortByTimestamp(a);
  const second = yield* sortByTimestamp(b);
  const total = first.length + second.length;
  if (total === 0) return emptyBatch;
  const periods = new BatchBuilder();
  const state: Joining = { first, second, periods, atFirst: 0, atSecond: 0, start: Number.NaN, end: Number.NaN };
  yield* forEachSlice(total, (from, to) => joinSome(state, to - from));
  periods.add(state.start, state.end - state.start, NO_DATA, 0);
  return periods.finish();
}

/** Progress: the next event of each list, and the period that may still grow; NaN before the first one. */
interface Joining {
  readonly first: EventBatch;
  readonly second: EventBatch;
  readonly periods: BatchBuilder;
  atFirst: number;
  atSecond: number;
  start: Micros;
  end: Micros;
}

function joinSome(state: Joining, count: number): void {
  const { first, second, periods } = state;
  let { atFirst, atSecond, start, end } = state;
  for (let done = 0; done < count; done++) {
    const takeFirst =
      atSecond === second.length ||
      (atFirst < first.length && (first.timestamps[atFirst] as number) <= (second.timestamps[atSecond] as number));
    const { timestamps, durations } = takeFirst ? first : second;
    const at = takeFirst ? atFirst++ : atSecond++;
    const nextStart = timestamps[at] as number;
    const nextEnd = nextStart + (durations[at] as number);
    if (nextStart <= end) {
      if (nextEnd > end) end = nextEnd;
      continue;
    }
    if (!Number.isNaN(start)) periods.add(start, end - start, NO_DATA, 0);
    start = nextStart;
    end = nextEnd;
  }
  state.atFirst = atFirst;
  state.atSecond = atSecond;
  state.start = start;
  state.end = end;
}
