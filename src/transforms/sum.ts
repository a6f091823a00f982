import type { EventBatch } from "../domain/batch.js";
import type { Micros } from "../domain/time.js";
import { inSlices, type Steps } from "./steps.js";

/**
 * All durations added up (docs/compatibility.md#functions), in microseconds: exact up to 2^53, which is 285 years, and
 * the nearest double beyond, even when the sum went far beyond on its way.
 */
export function* sumDurations({ length, durations }: EventBatch): Steps<Micros> {
  const total = { sum: 0, lost: 0 };
  yield* inSlices(length, (from, to) => addSlice(total, durations.subarray(from, to)));
  return total.sum + total.lost;
}

/** Neumaier's sum: `lost` is what rounding took away from `sum` so far. */
function addSlice(total: { sum: number; lost: number }, durations: Float64Array): void {
  let { sum, lost } = total;
  for (let at = 0; at < durations.length; at++) {
    const duration = durations[at] as number;
    const next = sum + duration;
    lost += Math.abs(sum) >= Math.abs(duration) ? sum - next + duration : duration - next + sum;
    sum = next;
  }
  total.sum = sum;
  total.lost = lost;
}
