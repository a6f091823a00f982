import type { LocalDay } from "./local-day.js";
import type { Random } from "./random.js";

/** A time range in Unix milliseconds; the end is excluded. */
export interface MillisRange {
  readonly start: number;
  readonly end: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Earliest and latest arrival and lunch, in seconds since local midnight. */
const ARRIVAL = [8 * 3600 + 900, 9 * 3600 + 1800] as const;
const LUNCH = [11 * 3600 + 2700, 13 * 3600] as const;
/** Sum of all sessions. */
const PRESENCE = [7.2 * HOUR, 8.8 * HOUR] as const;
const SESSION = [35 * MINUTE, 100 * MINUTE] as const;
const LUNCH_BREAK = [30 * MINUTE, 65 * MINUTE] as const;
/** An idle watcher sees nothing below its 3 minutes. */
const SHORT_BREAK = [3.5 * MINUTE, 14 * MINUTE] as const;
/** A shorter rest extends the previous session. */
const SHORTEST_LAST_SESSION = 15 * MINUTE;
const SHORTEST_BEFORE_LUNCH = 10 * MINUTE;

/**
 * Draws the work sessions of a day. Even with the shortest sessions and the longest
 * breaks the last one ends before midnight.
 */
export function drawSessions(day: LocalDay, random: Random): MillisRange[] {
  const between = ([low, high]: readonly [number, number]): number => random.between(low, high);
  const localMillis = (time: readonly [number, number]): number =>
    day.secondAt(between(time)) * SECOND + random.between(0, 999);
  const lunchAt = localMillis(LUNCH);
  const sessions: MillisRange[] = [];
  let at = localMillis(ARRIVAL);
  let left = between(PRESENCE);
  let hadLunch = false;
  while (left > 0) {
    const untilLunch = hadLunch ? Number.POSITIVE_INFINITY : Math.max(lunchAt - at, SHORTEST_BEFORE_LUNCH);
    const wanted = Math.min(between(SESSION), untilLunch);
    const length = left - wanted < SHORTEST_LAST_SESSION ? left : wanted;
    sessions.push({ start: at, end: at + length });
    at += length;
    left -= length;
    const isLunch: boolean = !hadLunch && at >= lunchAt;
    hadLunch ||= isLunch;
    at += between(isLunch ? LUNCH_BREAK : SHORT_BREAK);
  }
  return sessions;
}
