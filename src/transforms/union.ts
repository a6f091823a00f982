import type { EventList } from "../domain/event-list.js";
import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { arrayFor, emptyList, endAt, idAt, inSlices, ListBuilder, STEP_EVENTS, type Steps, whileAny } from "./list.js";

/**
 * Both lists in one, where the first takes precedence: of the second remains what lies beside it (contract query.md
 * 5.6). Ids stay, also on pieces.
 *
 *     a        [--A--]      [-A-]
 *     b     [----B---------]  [B]
 *     result [B][--A--][-B-][-A-]
 *
 * Both lists should ascend by start; they are taken as they stand.
 */
export function* unionNoOverlap(a: EventList, b: EventList): Steps<EventList> {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const union = new ListBuilder(a.length + b.length);
  const state: Uniting = { a, b, union, atA: 0, atB: 0, startB: b.starts[0] as number };
  yield* whileAny(() => uniteSome(state));
  yield* addFrom(union, a, state.atA);
  if (state.atB < b.length) {
    takeB(state, endAt(b, state.atB));
    yield* addFrom(union, b, state.atB + 1);
  }
  return union.finish();
}

/** How far it came: the current event of each list, and where what is left of that of `b` starts. */
interface Uniting {
  readonly a: EventList;
  readonly b: EventList;
  readonly union: ListBuilder;
  atA: number;
  atB: number;
  startB: Micros;
}

function uniteSome(state: Uniting): boolean {
  const { a, b, union } = state;
  for (let round = 0; round < STEP_EVENTS; round++) {
    if (state.atA === a.length || state.atB === b.length) return false;
    const startA = a.starts[state.atA] as number;
    const endA = endAt(a, state.atA);
    const { startB } = state;
    const endB = endAt(b, state.atB);
    const overlap = Math.max(startA, startB) < Math.min(endA, endB);
    if (startA <= startB) {
      union.add(startA, endA - startA, a.datas[state.atA] as JsonObject, idAt(a.ids, state.atA));
      state.atA++;
      if (!overlap) continue;
      if (endA < endB) state.startB = endA;
      else nextB(state);
    } else if (overlap) {
      takeB(state, startA);
      state.startB = startA;
    } else {
      takeB(state, endB);
      nextB(state);
    }
  }
  return true;
}

/** Adds what is left of the current event of `b`, up to an instant. */
function takeB({ b, union, atB, startB }: Uniting, end: Micros): void {
  union.add(startB, end - startB, b.datas[atB] as JsonObject, idAt(b.ids, atB));
}

function nextB(state: Uniting): void {
  state.atB++;
  if (state.atB < state.b.length) state.startB = state.b.starts[state.atB] as number;
}

/** Adds the events of a list from an index on. */
function addFrom(union: ListBuilder, { length, starts, durations, datas, ids }: EventList, first: number): Steps<void> {
  return inSlices(length - first, (from, to) => {
    for (let at = first + from; at < first + to; at++) {
      union.add(starts[at] as number, durations[at] as number, datas[at] as JsonObject, idAt(ids, at));
    }
  });
}

/** One list behind the other (contract query.md 5). */
export function* concat(lists: readonly EventList[]): Steps<EventList> {
  const filled = lists.filter(({ length }) => length > 0);
  const [first] = filled;
  if (first === undefined) return emptyList;
  if (filled.length === 1) return first;
  const length = filled.reduce((sum, list) => sum + list.length, 0);
  const starts = yield* joined(filled, length, (list) => list.starts);
  const durations = yield* joined(filled, length, (list) => list.durations);
  const withIds = filled.some((list) => list.ids !== null);
  const ids = withIds ? yield* joined(filled, length, (list) => list.ids) : null;
  const datas = arrayFor<JsonObject>(length);
  let filledTo = 0;
  for (const list of filled) {
    const offset = filledTo;
    yield* inSlices(list.length, (from, to) => {
      for (let at = from; at < to; at++) datas[offset + at] = list.datas[at] as JsonObject;
    });
    filledTo += list.length;
  }
  return { length, starts, durations, datas, ids };
}

/** The same column of several lists, as one; zero where a list does not have it. */
function* joined(
  lists: readonly EventList[],
  length: number,
  columnOf: (list: EventList) => Float64Array | null,
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
