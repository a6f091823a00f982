// Vertical scale of a time chart.
import { t } from "../../texts/activity.js";
import { common } from "../../texts/common.js";

const MINUTE = 60;
const HOUR = 3600;
/** Distances of grid lines, in seconds. */
const STEPS = [
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 12, 24, 48, 120, 240, 480, 960, 1920, 4800].map((hours) => hours * HOUR),
] as const;
const MAX_LINES = 5;
/** Tolerance for rounding errors: an hour with 3600.0001 seconds is full. */
const ROUNDING = 0.5;

/** Values of grid lines in seconds, from 0; the last one is at least the longest bar. */
export function linesFor(longest: number, least: number): readonly number[] {
  const top = Math.max(longest - ROUNDING, least, MINUTE);
  const step = STEPS.find((seconds) => top / seconds <= MAX_LINES) ?? Math.ceil(top / MAX_LINES / HOUR) * HOUR;
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => index * step);
}

/** `45m`, `3h`, `1h 30m`. */
export function formatLine(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / HOUR), Math.round((seconds % HOUR) / MINUTE)];
  if (hours === 0) return common("minutes", { minutes });
  return minutes === 0 ? t("lineHours", { hours }) : common("hoursMinutes", { hours, minutes });
}
