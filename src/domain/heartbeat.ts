import type { EventDraft } from "./event.js";
import { sameJson } from "./json.js";
import type { Micros } from "./time.js";

/**
 * Extends `last` to cover `beat` if both describe the same activity (docs/reference/compatibility.md#heartbeats).
 *
 *     last  [----]            pulsetime = 3
 *     beat         [-]        gap = 2  ->  merged [-------]
 *
 * @param pulsetimeMicros maximum gap within an activity; a negative one requires an overlap
 * @returns the longer event with the ID of `last`; `last` itself if it already covers `beat`; `undefined` if they must
 * stay separate: the data differ, `beat` starts before `last`, the gap exceeds `pulsetimeMicros`, or `last` has a
 * negative duration
 */
export function mergeHeartbeat<E extends EventDraft>(
  last: E,
  beat: EventDraft,
  pulsetimeMicros: Micros,
): E | undefined {
  const duration = mergedDuration(last, beat, pulsetimeMicros);
  if (duration === undefined) return undefined;
  return duration === last.duration ? last : { ...last, duration };
}

/**
 * The duration of `last` after the merge of `mergeHeartbeat`, for row `heartbeats/merge/1` of the bench: its caller
 * copies an event faster, since it knows the fields.
 *
 * @returns `undefined` if they must stay separate
 */
export function mergedDuration(last: EventDraft, beat: EventDraft, pulsetimeMicros: Micros): Micros | undefined {
  if (last.duration < 0 || beat.timestamp < last.timestamp) return undefined;
  if (beat.timestamp > last.timestamp + last.duration + pulsetimeMicros) return undefined;
  if (!sameJson(last.data, beat.data)) return undefined;
  // A heartbeat that ends inside `last` must not shorten it.
  return Math.max(last.duration, beat.timestamp - last.timestamp + beat.duration);
}
