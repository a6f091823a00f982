// Wall clock time of a zone as text, to the microsecond, and back.
import { MICROS_PER_SECOND, type Micros, parseTimestamp, serializeTimestamp } from "../../../domain/time.js";
import { offsetAt } from "../../wall-clock.js";

/** How far clocks of a zone are ahead of UTC at an instant. */
function aheadAt(instant: Micros, zone: string): Micros {
  const second = Math.floor(instant / MICROS_PER_SECOND);
  return offsetAt(second * 1000, zone) * 1000;
}

/** `2026-11-21 08:30:00.25`, as clocks of the zone show it. An hour that clocks show twice is told by its offset. */
export function printLocal(instant: Micros, zone: string): string {
  const offset = aheadAt(instant, zone);
  const text = plain(instant + offset);
  return parseLocal(text, zone) === instant ? text : `${text}${printOffset(offset)}`;
}

/**
 * Reads wall clock time of a zone: a date, or date and time. What clocks show twice is the first time, and what they
 * skip is as long after the gap as it was meant to be after its begin.
 *
 * @returns `undefined` for what is none
 */
export function parseLocal(text: string, zone: string): Micros | undefined {
  const wall = parseTimestamp(text.trim().replace(/ +/, "T"));
  if (wall === undefined || /[Zz]|[T ].*[+-]/.test(text)) return undefined;
  const day = 86_400 * MICROS_PER_SECOND;
  const [before, after] = [aheadAt(wall - day, zone), aheadAt(wall + day, zone)];
  const fitting = [wall - before, wall - after].filter((instant) => instant + aheadAt(instant, zone) === wall);
  return fitting.length > 0 ? Math.min(...fitting) : wall - before;
}

function plain(wall: Micros): string {
  return serializeTimestamp(wall)
    .replace("T", " ")
    .replace("+00:00", "")
    .replace(/(\.\d*?)0+$/, "$1");
}

function printOffset(offset: Micros): string {
  const minutes = Math.round(Math.abs(offset) / (60 * MICROS_PER_SECOND));
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}
