import type { EventDraft } from "./event.js";
import { sameJson } from "./json.js";
import type { Micros } from "./time.js";

/**
 * Extends `last` so that it covers `beat`, when both describe the same activity (docs/compatibility.md#heartbeats).
 *
 *     last  [----]            pulsetime = 3
 *     beat         [-]        gap = 2  ->  merged [-------]
 *
 * @param pulsetimeMicros longest gap that still counts as the same activity; negative demands an overlap
 * @returns the longer event with the id of `last`; `last` itself when it covers `beat` already; `undefined` when the
 *   two must stay apart: the data differ, `beat` starts before `last`, the gap exceeds `pulsetimeMicros`, or `last`
 *   has a negative duration
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
  // A beat that ends inside `last` must not shorten it.
  return duration <= last.duration ? last : { ...last, duration };
}
