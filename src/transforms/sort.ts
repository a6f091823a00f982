import type { EventList } from "../domain/event-list.js";
import { holdsInSlices, pick, reversed, type Steps } from "./list.js";
import { radixOrder } from "./radix.js";

/** Orders by start, ascending; equal starts keep their order (contract query.md 5). */
export function* sortByTimestamp(events: EventList): Steps<EventList> {
  const { starts } = events;
  if (yield* ascends(starts)) return events;
  if (yield* descendsStrictly(starts)) return yield* reversed(events);
  return yield* pick(events, yield* radixOrder(starts, "ascending"));
}

/** Orders by duration, the longest first; equal durations keep their order (contract query.md 5.7). */
export function* sortByDuration(events: EventList): Steps<EventList> {
  if (yield* descends(events.durations)) return events;
  return yield* pick(events, yield* radixOrder(events.durations, "descending"));
}

/** Orders by start, then duration, both ascending; equal ones keep their order. */
export function* sortByStartAndDuration(events: EventList): Steps<EventList> {
  if (yield* ascendsByBoth(events)) return events;
  const byStart = yield* sortByTimestamp(events);
  if (yield* ascendsByBoth(byStart)) return byStart;
  const byDuration = yield* pick(events, yield* radixOrder(events.durations, "ascending"));
  return yield* sortByTimestamp(byDuration);
}

function ascendsByBoth({ length, starts, durations }: EventList): Steps<boolean> {
  return holdsInSlices(length, (from, to) => {
    for (let at = Math.max(from, 1); at < to; at++) {
      const difference = (starts[at] as number) - (starts[at - 1] as number);
      if (difference > 0) continue;
      if (difference < 0 || (durations[at] as number) < (durations[at - 1] as number)) return false;
    }
    return true;
  });
}

function ascends(keys: Float64Array): Steps<boolean> {
  return holdsInSlices(keys.length, (from, to) => {
    for (let at = Math.max(from, 1); at < to; at++) if ((keys[at] as number) < (keys[at - 1] as number)) return false;
    return true;
  });
}

function descends(keys: Float64Array): Steps<boolean> {
  return holdsInSlices(keys.length, (from, to) => {
    for (let at = Math.max(from, 1); at < to; at++) if ((keys[at] as number) > (keys[at - 1] as number)) return false;
    return true;
  });
}

function descendsStrictly(keys: Float64Array): Steps<boolean> {
  return holdsInSlices(keys.length, (from, to) => {
    for (let at = Math.max(from, 1); at < to; at++) if ((keys[at] as number) >= (keys[at - 1] as number)) return false;
    return true;
  });
}
