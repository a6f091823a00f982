// Lists of events in which each moment has at most one event.
import type { EventBatch } from "../domain/batch.js";
import type { JsonObject } from "../domain/json.js";
import type { Micros } from "../domain/time.js";
import { BatchBuilder, emptyBatch, NO_DATA, pick } from "../transforms/batches.js";
import { flood } from "../transforms/flood.js";
import { periodIntersect, periodUnion } from "../transforms/period.js";
import { sortByStartAndDuration, sortByTimestamp } from "../transforms/sort.js";
import { everySlice, forEachSlice, repeatWhile, STEP_EVENTS, type Steps } from "../transforms/steps.js";
import { concat } from "../transforms/union.js";

/** The pulsetime with which clients close gaps of watchers (docs/reference/compatibility.md#what-clients-ask). */
export const PULSETIME_MICROS = 5_000_000;

/**
 * Floods events. An event that a shorter one interrupts continues after it, where `flood` leaves no event: such a
 * moment counts for the event that started last before it.
 *
 *     events  [-----A------]        flood        [-A][-B-]
 *                  [-B-]            coverOnce    [-A][-B-][A]
 *
 * @returns ascending, without overlaps and without zero-length events
 */
export function* coverOnce(events: EventBatch): Steps<EventBatch> {
  const sorted = yield* sortByStartAndDuration(events);
  const flooded = yield* flood(sorted, PULSETIME_MICROS);
  if (yield* isApart(sorted)) return flooded;
  const positive = yield* withDuration(sorted);
  const covered = yield* periodUnion(positive, emptyBatch);
  const lost = yield* without(covered, flooded);
  if (lost.length === 0) return flooded;
  return yield* merged(flooded, yield* lastStarted(positive, lost));
}

/** Whether no event starts before the end of an earlier one. */
function isApart({ length, timestamps, durations }: EventBatch): Steps<boolean> {
  let end = Number.NEGATIVE_INFINITY;
  return everySlice(length, (from, to) => {
    for (let at = from; at < to; at++) {
      const start = timestamps[at] as number;
      if (start < end) return false;
      end = Math.max(end, start + (durations[at] as number));
    }
    return true;
  });
}

function* withDuration(events: EventBatch): Steps<EventBatch> {
  const rows = new Uint32Array(events.length);
  let count = 0;
  yield* forEachSlice(events.length, (from, to) => {
    for (let at = from; at < to; at++) if ((events.durations[at] as number) > 0) rows[count++] = at;
  });
  return count === events.length ? events : yield* pick(events, rows.subarray(0, count));
}

/** Fills periods with the parts of the events that started last. @param events sorted, and covering the periods */
function* lastStarted(events: EventBatch, periods: EventBatch): Steps<EventBatch> {
  const parts = new BatchBuilder();
  /** Events that have started, the last one on top. */
  const open: number[] = [];
  let [next, period] = [0, 0];
  let from = periods.timestamps[0] as number;
  yield* repeatWhile(() => {
    for (let round = 0; round < STEP_EVENTS && period < periods.length; round++) {
      const nextStart = events.timestamps[next] ?? Number.POSITIVE_INFINITY;
      const top = open.at(-1);
      if (nextStart <= from) open.push(next++);
      else if (top !== undefined && events.endAt(top) <= from) open.pop();
      else {
        const end = Math.min(periods.endAt(period), nextStart, top === undefined ? nextStart : events.endAt(top));
        if (top !== undefined) parts.add(from, end - from, events.datas[top] as JsonObject, 0);
        from = end;
        if (from >= periods.endAt(period)) from = periods.timestamps[++period] ?? from;
      }
    }
    return period < periods.length;
  });
  return parts.finish();
}

/** Fills the gaps of a list with parts of another one. Both ascend without overlaps. */
export function* overlaid(first: EventBatch, second: EventBatch): Steps<EventBatch> {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  return yield* merged(first, yield* without(second, first));
}

/** Lists of several buckets or hosts as one; earlier lists take precedence. */
export function* overlaidAll(lists: Iterable<EventBatch>): Steps<EventBatch> {
  let all = emptyBatch;
  for (const list of lists) all = yield* overlaid(all, list);
  return all;
}

/** The parts of events outside of periods. Both ascend without overlaps. */
export function* without(events: EventBatch, periods: EventBatch): Steps<EventBatch> {
  if (events.length === 0 || periods.length === 0) return events;
  return yield* periodIntersect(events, yield* gapsOf(periods, events));
}

/** The time from the start of a list to its end that periods leave free. Both ascend without overlaps. */
function* gapsOf(periods: EventBatch, list: EventBatch): Steps<EventBatch> {
  const gaps = new BatchBuilder(periods.length + 1);
  let from = list.timestamps[0] as number;
  const addUpTo = (to: Micros): void => {
    if (to > from) gaps.add(from, to - from, NO_DATA, 0);
  };
  yield* forEachSlice(periods.length, (first, last) => {
    for (let at = first; at < last; at++) {
      addUpTo(periods.timestamps[at] as number);
      from = Math.max(from, periods.endAt(at));
    }
  });
  addUpTo(list.endAt(list.length - 1));
  return gaps.finish();
}

function* merged(one: EventBatch, other: EventBatch): Steps<EventBatch> {
  return yield* sortByTimestamp(yield* concat([one, other]));
}

/** Joins periods whose gaps are at most this long. */
export function* joinedWithin(events: EventBatch, gap: Micros): Steps<EventBatch> {
  return yield* flood(yield* periodUnion(events, emptyBatch), gap);
}
