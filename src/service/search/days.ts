import { MICROS_PER_MILLI, type Micros } from "../../domain/time.js";
import { mustBe } from "../../errors.js";
import { type Offsets, offsetsOf } from "../../report/zone.js";

const DAY_MILLIS = 86_400_000;

/** A calendar day. */
export interface Day {
  /** `2024-03-01` */
  readonly date: string;
  /** Number of days since 1970-01-01. */
  readonly number: number;
  readonly start: Micros;
  /** The start of the next one. */
  readonly end: Micros;
}

/** The days of a time zone, which may start at another time than midnight. */
export class Days {
  readonly #offsets: Offsets | undefined;
  readonly #startMillis: number;
  /** Most events are on the same day as the previous one. */
  #last: Day | undefined;

  /**
   * @param zone a name of the IANA database
   * @param dayStart `HH:MM`
   * @throws ActivityError `INVALID_INPUT`
   */
  constructor(zone: string = "UTC", dayStart: string = "00:00") {
    const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(dayStart) ?? [];
    if (hours === undefined) throw mustBe("day_start", "a time like 04:00", dayStart);
    this.#startMillis = (Number(hours) * 60 + Number(minutes)) * 60_000;
    this.#offsets = zone === "UTC" ? undefined : offsetsOf(zone);
  }

  /** The day that contains a timestamp. */
  of(instant: Micros): Day {
    const last = this.#last;
    if (last !== undefined && instant >= last.start && instant < last.end) return last;
    const millis = Math.floor(instant / MICROS_PER_MILLI);
    const number = Math.floor((this.#localTime(millis) - this.#startMillis) / DAY_MILLIS);
    const day: Day = {
      date: new Date(number * DAY_MILLIS).toISOString().slice(0, 10),
      number,
      // If the clocks change at that very time, the day still contains the requested timestamp.
      start: Math.min(this.#startOf(number, millis) * MICROS_PER_MILLI, instant),
      end: Math.max(this.#startOf(number + 1, millis) * MICROS_PER_MILLI, instant + 1),
    };
    this.#last = day;
    return day;
  }

  /** The start of a day. @param near a timestamp close to it */
  #startOf(number: number, near: number): number {
    const shown = number * DAY_MILLIS + this.#startMillis;
    const guess = shown - (this.#localTime(near) - near);
    return shown - (this.#localTime(guess) - guess);
  }

  /** The local time as the milliseconds at which UTC shows the same. */
  #localTime(millis: number): number {
    return this.#offsets === undefined ? millis : millis + this.#offsets.at(millis);
  }
}

/** A set of days, stored as runs: an event may last for centuries. */
export class DaySet {
  /** First and last day number of each run; runs may overlap. */
  readonly #runs: [first: number, last: number][] = [];

  add(first: number, last: number): void {
    const run = this.#runs.at(-1);
    // Events are ordered by time, so nearly all of them continue the previous run.
    if (run === undefined || first > run[1] + 1 || last < run[0] - 1) {
      this.#runs.push([first, last]);
      return;
    }
    run[0] = Math.min(run[0], first);
    run[1] = Math.max(run[1], last);
  }

  get size(): number {
    let size = 0;
    let counted = Number.NEGATIVE_INFINITY;
    for (const [first, last] of this.#runs.toSorted(([a], [b]) => a - b)) {
      size += Math.max(0, last - Math.max(first - 1, counted));
      counted = Math.max(counted, last);
    }
    return size;
  }
}
