import { type Micros, microsToSeconds } from "../../domain/time.js";
import type { ActiveTimes } from "./active-times.js";
import type { Coverage } from "./coverage.js";
import { DaySet, type Days } from "./days.js";
import type { SearchSummary } from "./search.js";

/** Counts results. */
export class Totals {
  readonly #days: Days;
  readonly #found: DaySet = new DaySet();
  #events = 0;
  #duration = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  constructor(days: Days) {
    this.#days = days;
  }

  /**
   * Counts an event.
   *
   * @param coverage of the bucket
   * @param active `undefined`: includes inactive time
   */
  add(start: Micros, end: Micros, coverage: Coverage, active: ActiveTimes | undefined): void {
    this.#events++;
    if (start < this.#first) this.#first = start;
    if (end > this.#last) this.#last = end;
    coverage.add(start, end, (from, to) => {
      this.#duration += active === undefined ? to - from : active.durationWithin(from, to);
    });
    const first = this.#days.of(start);
    const last = end > first.end ? this.#days.of(end - 1) : first;
    this.#found.add(first.number, last.number);
  }

  summary(groups?: number): SearchSummary {
    const isAny = this.#events > 0;
    return {
      events: this.#events,
      seconds: microsToSeconds(this.#duration),
      days: this.#found.size,
      ...(groups === undefined ? {} : { groups }),
      first: isAny ? this.#first : null,
      last: isAny ? this.#last : null,
    };
  }
}
