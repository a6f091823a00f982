import type { EventBatch } from "../domain/batch.js";
import type { Micros } from "../domain/time.js";
import { forEachSlice, type Steps } from "./steps.js";

/**
 * The sum of all durations in microseconds (docs/reference/compatibility.md#functions). Exact up to 2^53, which is 285
 * years; beyond that the nearest double, even if intermediate sums were far larger.
 */
export function* sumDurations({ length, durations }: EventBatch): Steps<Micros> {
  const total = { sum: 0, lost: 0 };
  yield* forEachSlice(length, (from, to) => addSlice(total, durations.subarray(from, to)));
  return total.sum + total.lost;
}

/** Neumaier summation: `lost` is the accumulated rounding error of `sum`. */
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
