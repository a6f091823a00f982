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
  if (last.duration < 0 || beat.timestamp < last.timestamp) return undefined;
  if (beat.timestamp > last.timestamp + last.duration + pulsetimeMicros) return undefined;
  if (!sameJson(last.data, beat.data)) return undefined;
  const duration = beat.timestamp - last.timestamp + beat.duration;
  // A heartbeat that ends inside `last` must not shorten it.
  return duration <= last.duration ? last : { ...last, duration };
}
