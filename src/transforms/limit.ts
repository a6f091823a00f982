import { EventBatch } from "../domain/batch.js";
import { emptyBatch } from "./batches.js";
import type { Steps } from "./steps.js";

/**
 * The first events of a list (docs/reference/compatibility.md#functions).
 *
 * @param count truncated to an integer; negative values mean 0
 */
export function* limitEvents(events: EventBatch, count: number): Steps<EventBatch> {
  if (count >= events.length) return events;
  const length = Math.trunc(count);
  if (!(length > 0)) return emptyBatch;
  // Copies, since views would keep the complete columns alive.
  const timestamps = events.timestamps.slice(0, length);
  yield;
  const durations = events.durations.slice(0, length);
  yield;
  const ids = events.ids?.slice(0, length) ?? null;
  yield;
  return EventBatch.of({ timestamps, durations, ids, datas: events.datas.slice(0, length) });
}
