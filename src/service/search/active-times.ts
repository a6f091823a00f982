import { EventBatch } from "../../domain/batch.js";
import type { Bucket } from "../../domain/bucket.js";
import type { Micros } from "../../domain/time.js";
import type { Storage, TimeRange } from "../../storage/storage.js";
import { filterKeyvals } from "../../transforms/filter.js";
import { flood } from "../../transforms/flood.js";
import { periodUnion } from "../../transforms/period.js";
import type { Steps } from "../../transforms/steps.js";
import { createTimeSlice } from "../../util/time-slice.js";

/** What clients close gaps of watchers by (docs/compatibility.md#what-clients-ask). */
const PULSETIME_MICROS = 5_000_000;

/** When somebody was at a computer: periods that do not touch, ascending. */
export class ActiveTimes {
  readonly #periods: EventBatch;
  /** How long those before each one are together. */
  readonly #before: Float64Array;

  constructor(periods: EventBatch) {
    this.#periods = periods;
    this.#before = new Float64Array(periods.length + 1);
    periods.durations.forEach((duration, index) => {
      this.#before[index + 1] = (this.#before[index] as number) + duration;
    });
  }

  /** How much of a span was active. */
  within(from: Micros, to: Micros): Micros {
    return to <= from ? 0 : this.#upTo(to) - this.#upTo(from);
  }

  /** The active parts of a span, ascending. */
  partsOf(from: Micros, to: Micros): [start: Micros, end: Micros][] {
    const parts: [Micros, Micros][] = [];
    for (let at = Math.max(0, this.#behind(from) - 1); at < this.#periods.length; at++) {
      const start = this.#periods.timestamps[at] as number;
      if (start >= to) break;
      const end = this.#periods.endAt(at);
      if (end > from) parts.push([Math.max(start, from), Math.min(end, to)]);
    }
    return parts;
  }

  #upTo(instant: Micros): Micros {
    const at = this.#behind(instant) - 1;
    if (at < 0) return 0;
    const start = this.#periods.timestamps[at] as number;
    return (this.#before[at] as number) + Math.min(instant - start, this.#periods.durations[at] as number);
  }

  /** Index of the first period that begins behind an instant. */
  #behind(instant: Micros): number {
    let low = 0;
    let high = this.#periods.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#periods.timestamps[middle] as number) > instant) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** The active times of a host by its watchers of absence; `undefined` where it has none, so that all time counts. */
export async function activeTimesOf(
  storage: Storage,
  watchers: readonly Bucket[],
  range: TimeRange,
): Promise<ActiveTimes | undefined> {
  if (watchers.length === 0) return undefined;
  let periods = EventBatch.from([]);
  for (const { id } of watchers) {
    const { batches } = await storage.read(id, { ...range, order: "oldest" });
    const events = [];
    for await (const batch of batches) events.push(...batch.events());
    const flooded = await finished(flood(EventBatch.from(events), PULSETIME_MICROS));
    const active = await finished(filterKeyvals(flooded, "status", ["not-afk"]));
    periods = await finished(periodUnion(periods, active));
  }
  return new ActiveTimes(periods);
}

async function finished<Result>(steps: Steps<Result>): Promise<Result> {
  const timeSlice = createTimeSlice();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await timeSlice.yield();
  }
}
