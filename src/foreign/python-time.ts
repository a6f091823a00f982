import { MICROS_PER_MILLI, MICROS_PER_SECOND, type Micros } from "../domain/time.js";

/** The nearest integer, of two equally near ones the even one. */
function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}

/** Microseconds of seconds, as Python makes a `datetime` or a `timedelta` of a float. */
export function pythonMicros(seconds: number): Micros {
  const whole = Math.trunc(seconds);
  return whole * MICROS_PER_SECOND + roundHalfEven((seconds - whole) * MICROS_PER_SECOND) + 0;
}

/** aw-server cuts the starts of events to milliseconds, whenever it makes an event. */
export function cutToMillis(micros: Micros): Micros {
  return Math.floor(micros / MICROS_PER_MILLI) * MICROS_PER_MILLI;
}
