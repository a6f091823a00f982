import type { EventBatch } from "../domain/batch.js";
import { pick, reversed } from "./batches.js";
import { radixOrder } from "./radix.js";
import { everySlice, type Steps } from "./steps.js";

/** Sorts by start, ascending and stable (docs/reference/compatibility.md#functions). */
export function* sortByTimestamp(events: EventBatch): Steps<EventBatch> {
  const { timestamps } = events;
  if (yield* ascends(timestamps)) return events;
  if (yield* descendsStrictly(timestamps)) return yield* reversed(events);
  return yield* pick(events, yield* radixOrder(timestamps, "ascending"));
}

/** Sorts by duration, descending and stable (docs/reference/compatibility.md#functions). */
export function* sortByDuration(events: EventBatch): Steps<EventBatch> {
  if (yield* descends(events.durations)) return events;
  return yield* pick(events, yield* radixOrder(events.durations, "descending"));
}

/** Sorts by start, then by duration, both ascending and stable. */
export function* sortByStartAndDuration(events: EventBatch): Steps<EventBatch> {
  if (yield* ascendsByBoth(events)) return events;
  const byStart = yield* sortByTimestamp(events);
  if (yield* ascendsByBoth(byStart)) return byStart;
  const byDuration = yield* pick(events, yield* radixOrder(events.durations, "ascending"));
  return yield* sortByTimestamp(byDuration);
}

function ascendsByBoth({ length, timestamps, durations }: EventBatch): Steps<boolean> {
  return everySlice(length, (from, to) => {
    for (let at = Math.max(from, 1); at < to; at++) {
      const difference = (timestamps[at] as number) - (timestamps[at - 1] as number);
      if (difference > 0) continue;
      if (difference < 0 || (durations[at] as number) < (durations[at - 1] as number)) return false;
    }
    return true;
  });
}

function ascends(keys: Float64Array): Steps<boolean> {
  return everySlice(keys.length, (from, to) => {
    for (let at = Math.max(from, 1); at < to; at++) if ((keys[at] as number) < (keys[at - 1] as number)) return false;
    return true;
  });
}

function descends(keys: Float64Array): Steps<boolean> {
  return everySlice(keys.length, (from, to) => {
    for (let at = Math.max(from, 1); at < to; at++) if ((keys[at] as number) > (keys[at - 1] as number)) return false;
    return true;
  });
}

function descendsStrictly(keys: Float64Array): Steps<boolean> {
  return everySlice(keys.length, (from, to) => {
    for (let at = Math.max(from, 1); at < to; at++) if ((keys[at] as number) >= (keys[at - 1] as number)) return false;
    return true;
  });
}
