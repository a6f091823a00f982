import {
  type DurationInput,
  LATEST,
  MICROS_PER_MILLI,
  type Micros,
  type TimeInput,
  type TimestampMicros,
} from "../domain/time.js";
import { shownValue } from "../errors.js";
import { toDuration, toTimestamp } from "../service/input-coercion.js";
import { invalid } from "../service/validation.js";
import { SET_BY_TEST } from "../util/in-process.js";

/** The start of every fake clock and builder: `2024-03-01T09:00:00Z`, a Friday, in microseconds. */
export const TEST_START: TimestampMicros = 1_709_283_600_000_000 as TimestampMicros;

/** A clock that does not move until the test moves it. */
export interface FakeClock {
  /** Now, in Unix milliseconds, as a server's option `clock`. The fraction has the microseconds. */
  (): number;
  /** Now, in microseconds since 1970-01-01 UTC. */
  now(): TimestampMicros;
  /**
   * Moves forward.
   *
   * @returns the new now, in microseconds
   * @throws ActivityError `INVALID_INPUT` for a negative duration, or one without a unit
   */
  advance(by: DurationInput): TimestampMicros;
  /**
   * Moves to a time, in either direction.
   *
   * @returns the new now, in microseconds
   * @throws ActivityError `INVALID_INPUT`
   */
  set(time: TimeInput): TimestampMicros;
  /**
   * Moves back to the start.
   *
   * @returns the new now, in microseconds
   */
  reset(): TimestampMicros;
}

/**
 * Creates a clock for tests. It does not use the clock of the machine.
 *
 * @param start its first time; default `TEST_START`
 * @throws ActivityError `INVALID_INPUT`
 */
export function fakeClock(start: TimeInput = TEST_START): FakeClock {
  const initial = toTimestamp(start, "start of the clock");
  let now = initial;
  function moveTo(time: Micros): TimestampMicros {
    now = time as TimestampMicros;
    return now;
  }
  return Object.assign(() => toMillis(now), {
    [SET_BY_TEST]: true,
    now: () => now,
    advance(by: DurationInput): TimestampMicros {
      const length = toDuration(by, "advance of the clock");
      if (length < 0)
        throw invalid(`advance of the clock must be 0 or more, got ${shownValue(by)}; set() turns a clock back`);
      if (now + length >= LATEST) throw invalid(`advance of the clock must end before 2250, got ${shownValue(by)}`);
      return moveTo(now + length);
    },
    set: (time: TimeInput): TimestampMicros => moveTo(toTimestamp(time, "time of the clock")),
    reset: (): TimestampMicros => moveTo(initial),
  });
}

/** Milliseconds that convert back to the same microseconds: the nearest double may be just below them. */
function toMillis(micros: Micros): number {
  const millis = micros / MICROS_PER_MILLI;
  return Math.floor(millis * MICROS_PER_MILLI) === micros ? millis : millis + Math.abs(millis) * Number.EPSILON;
}
