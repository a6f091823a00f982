// Formats and parses local time of a zone, to the microsecond.
import { MICROS_PER_SECOND, type Micros, parseTimestamp, serializeTimestamp } from "../../../domain/time.js";
import { offsetAt } from "../../wall-clock.js";

/** UTC offset of a zone at a timestamp. */
function aheadAt(instant: Micros, zone: string): Micros {
  const second = Math.floor(instant / MICROS_PER_SECOND);
  return offsetAt(second * 1000, zone) * 1000;
}

/** Formats local time: `2026-11-21 08:30:00.25`. A repeated hour includes its offset. */
export function printLocal(instant: Micros, zone: string): string {
  const offset = aheadAt(instant, zone);
  const text = plain(instant + offset);
  return parseLocal(text, zone) === instant ? text : `${text}${printOffset(offset)}`;
}

/**
 * Parses local time: a date, or date and time. A repeated time means the first one; a skipped time is moved by the
 * length of the gap.
 *
 * @returns `undefined` for invalid input
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
