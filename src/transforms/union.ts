import { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { BatchBuilder, createArray, emptyBatch, idAt } from "./batches.js";
import { forEachSlice, repeatWhile, STEP_EVENTS, type Steps } from "./steps.js";

/**
 * Joins both lists. The first takes precedence; the second only fills its gaps
 * (docs/reference/compatibility.md#unions-without-overlap). IDs do not change, even on pieces.
 *
 *     a        [--A--]      [-A-]
 *     b     [----B---------]  [B]
 *     result [B][--A--][-B-][-A-]
 *
 * Both lists should be sorted by start; they are not sorted here.
 */
export function* unionNoOverlap(a: EventBatch, b: EventBatch): Steps<EventBatch> {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const union = new BatchBuilder(a.length + b.length);
  const state: Uniting = { a, b, union, atA: 0, atB: 0, startB: b.timestamps[0] as number };
  yield* repeatWhile(() => uniteSome(state));
  yield* addFrom(union, a, state.atA);
  if (state.atB < b.length) {
    addB(state, b.endAt(state.atB));
    yield* addFrom(union, b, state.atB + 1);
  }
  return union.finish();
}

/** Progress: the current event of each list, and the start of the remainder of `b`'s event. */
interface Uniting {
  readonly a: EventBatch;
  readonly b: EventBatch;
  readonly union: BatchBuilder;
  atA: number;
  atB: number;
  startB: Micros;
}

function uniteSome(state: Uniting): boolean {
  const { a, b, union } = state;
  for (let round = 0; round < STEP_EVENTS; round++) {
    if (state.atA === a.length || state.atB === b.length) return false;
    const startA = a.timestamps[state.atA] as number;
    const endA = a.endAt(state.atA);
    const { startB } = state;
    const endB = b.endAt(state.atB);
    const overlap = Math.max(startA, startB) < Math.min(endA, endB);
    if (startA <= startB) {
      union.add(startA, endA - startA, a.datas[state.atA] as JsonObject, idAt(a.ids, state.atA));
      state.atA++;
      if (!overlap) continue;
      if (endA < endB) state.startB = endA;
      else advanceB(state);
    } else if (overlap) {
      addB(state, startA);
      state.startB = startA;
    } else {
      addB(state, endB);
      advanceB(state);
    }
  }
  return true;
}

/** Adds the remainder of the current event of `b`, up to a timestamp. */
function addB({ b, union, atB, startB }: Uniting, end: Micros): void {
  union.add(startB, end - startB, b.datas[atB] as JsonObject, idAt(b.ids, atB));
}

function advanceB(state: Uniting): void {
  state.atB++;
  if (state.atB < state.b.length) state.startB = state.b.timestamps[state.atB] as number;
}

/** Adds the events of a list from an index to its end. */
function addFrom(
  union: BatchBuilder,
  { length, timestamps, durations, datas, ids }: EventBatch,
  first: number,
): Steps<void> {
  return forEachSlice(length - first, (from, to) => {
    for (let at = first + from; at < first + to; at++) {
      union.add(timestamps[at] as number, durations[at] as number, datas[at] as JsonObject, idAt(ids, at));
    }
  });
}

/** Concatenates lists (docs/reference/compatibility.md#functions). */
export function* concat(lists: readonly EventBatch[]): Steps<EventBatch> {
  const filled = lists.filter(({ length }) => length > 0);
  const [first] = filled;
  if (first === undefined) return emptyBatch;
  if (filled.length === 1) return first;
  const length = filled.reduce((sum, list) => sum + list.length, 0);
  const timestamps = yield* joined(filled, length, (list) => list.timestamps);
  const durations = yield* joined(filled, length, (list) => list.durations);
  const withIds = filled.some((list) => list.ids !== null);
  const ids = withIds ? yield* joined(filled, length, (list) => list.ids) : null;
  const datas = createArray<JsonObject>(length);
  let filledTo = 0;
  for (const list of filled) {
    const offset = filledTo;
    const part = list.datas;
    yield* forEachSlice(list.length, (from, to) => {
      for (let at = from; at < to; at++) datas[offset + at] = part[at] as JsonObject;
    });
    filledTo += list.length;
  }
  return EventBatch.of({ timestamps, durations, ids, datas });
}

/** Concatenates one column of several lists, with zeros for lists without it. */
function* joined(
  lists: readonly EventBatch[],
  length: number,
  columnOf: (list: EventBatch) => Float64Array | null,
): Steps<Float64Array> {
  const column = new Float64Array(length);
  let filledTo = 0;
  for (const list of lists) {
    const part = columnOf(list);
    if (part !== null) column.set(part, filledTo);
    filledTo += list.length;
    yield;
  }
  return column;
}
