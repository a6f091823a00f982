import { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import { sameData } from "../transforms/data.js";
import { STEP_EVENTS, type Steps } from "../transforms/steps.js";
import {
  type Dict,
  isDict,
  isEventBatch,
  isEventItem,
  isListLike,
  kindOf,
  type ListLike,
  type Value,
} from "./values.js";

/** Cost of comparing two different objects, relative to comparing two references to the same object. */
const DATA_COST = 8;

/** Whether two values may be compared. A list of events is comparable with any other list. */
export function areComparable(a: Value, b: Value): boolean {
  return kindOf(a) === kindOf(b) || (isListLike(a) && isListLike(b));
}

/** Deep equality. It ignores event IDs, and none equals nothing (docs/reference/compatibility.md#evaluation). */
export function sameValue(a: Value, b: Value): Steps<boolean> {
  return same(a, b, { done: 0 });
}

/** Whether a list contains a value. */
export function* containsValue(list: ListLike, wanted: Value): Steps<boolean> {
  // Lists of events contain only events: do not scan what may be millions of items.
  if (isEventBatch(list) && !isEventItem(wanted)) return false;
  const work: Work = { done: 0 };
  for (let index = 0; index < list.length; index++) {
    if (isDue(work)) yield;
    const item = itemAt(list, index);
    const known = sameScalar(item, wanted, work);
    if (known === undefined ? yield* same(item, wanted, work) : known) return true;
  }
  return false;
}

/** Comparisons since the last pause, in units of events with identical data. */
interface Work {
  done: number;
}

/** Counts one comparison and returns whether a pause is due. */
function isDue(work: Work): boolean {
  if (++work.done < STEP_EVENTS) return false;
  work.done = 0;
  return true;
}

function* same(a: Value, b: Value, work: Work): Steps<boolean> {
  if (isDict(a) && isDict(b)) return yield* sameDict(a, b, work);
  // Safe as a shortcut: lists of events never contain none, which does not equal itself.
  if (isEventBatch(a) && isEventBatch(b)) return a === b || (yield* sameEvents(a, b, work));
  if (isListLike(a) && isListLike(b)) return yield* sameList(a, b, work);
  return sameScalar(a, b, work) ?? false;
}

/** Equality of scalars and events; `undefined` for lists and dicts. */
function sameScalar(a: Value, b: Value, work: Work): boolean | undefined {
  if (a === null || b === null || !areComparable(a, b)) return false;
  if (isEventItem(a) && isEventItem(b)) return sameEvent(a.list, a.index, b.list, b.index, work);
  return typeof a === "object" ? undefined : a === b;
}

function* sameList(a: ListLike, b: ListLike, work: Work): Steps<boolean> {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (isDue(work)) yield;
    const [item, other] = [itemAt(a, index), itemAt(b, index)];
    const known = sameScalar(item, other, work);
    if (!(known === undefined ? yield* same(item, other, work) : known)) return false;
  }
  return true;
}

function* sameDict(a: Dict, b: Dict, work: Work): Steps<boolean> {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    if (isDue(work)) yield;
    const other = b.get(key);
    if (other === undefined) return false;
    const known = sameScalar(value, other, work);
    if (!(known === undefined ? yield* same(value, other, work) : known)) return false;
  }
  return true;
}

function* sameEvents(a: EventBatch, b: EventBatch, work: Work): Steps<boolean> {
  if (a.length !== b.length) return false;
  for (let from = 0; from < a.length; ) {
    const to = compareSlice(a, b, from, work);
    if (to === undefined) return false;
    from = to;
    // After the last event as well: more lists may follow.
    if (work.done === 0) yield;
  }
  return true;
}

/**
 * Compares events until a pause is due, which resets the counter.
 *
 * @returns the index of the first event not yet compared; `undefined` when two events differ
 */
function compareSlice(a: EventBatch, b: EventBatch, from: number, work: Work): number | undefined {
  let at = from;
  while (at < a.length) {
    if (!sameEvent(a, at, b, at, work)) return undefined;
    at++;
    if (isDue(work)) break;
  }
  return at;
}

function sameEvent(a: EventBatch, at: number, b: EventBatch, other: number, work: Work): boolean {
  if (a.timestamps[at] !== b.timestamps[other] || a.durations[at] !== b.durations[other]) return false;
  const [data, otherData] = [a.datas[at] as JsonObject, b.datas[other] as JsonObject];
  if (data === otherData) return true;
  work.done += DATA_COST;
  return sameData(data, otherData);
}

function itemAt(list: ListLike, index: number): Value {
  return list instanceof EventBatch ? { list, index } : (list[index] as Value);
}
