import { MICROS_PER_MILLI, MICROS_PER_SECOND, type Micros } from "../domain/time.js";

/** Rounds to the nearest integer, ties to even. */
function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}

/** Converts seconds to microseconds, as Python converts a float to a `datetime` or a `timedelta`. */
export function pythonMicros(seconds: number): Micros {
  const whole = Math.trunc(seconds);
  return whole * MICROS_PER_SECOND + roundHalfEven((seconds - whole) * MICROS_PER_SECOND) + 0;
}

/** Truncates to milliseconds, as aw-server does with the start of every event. */
export function cutToMillis(micros: Micros): Micros {
  return Math.floor(micros / MICROS_PER_MILLI) * MICROS_PER_MILLI;
}
