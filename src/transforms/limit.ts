import type { EventList } from "../domain/event-list.js";
import { emptyList, type Steps } from "./list.js";

/**
 * The first events of a list (contract query.md 5.7).
 *
 * @param count cut to an integer; negative counts as 0
 */
export function* limitEvents(events: EventList, count: number): Steps<EventList> {
  if (count >= events.length) return events;
  const length = Math.trunc(count);
  if (!(length > 0)) return emptyList;
  // Copies, since views would keep all of the columns alive.
  const starts = events.starts.slice(0, length);
  yield;
  const durations = events.durations.slice(0, length);
  yield;
  const ids = events.ids?.slice(0, length) ?? null;
  yield;
  return { length, starts, durations, datas: events.datas.slice(0, length), ids };
}
