// The visible time window, and its movements. Pure; timestamps are Unix milliseconds with fractions.

/** The visible time range. */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

const SECOND = 1000;
const YEAR = 365.25 * 86_400 * SECOND;

/** Minimum length. */
export const SHORTEST: number = SECOND;
/** Maximum length. */
export const LONGEST: number = 25 * YEAR;

/** Supported range of the page's calendars, except for a day at either end. */
const FIRST = Date.UTC(1970, 0, 3);
const LAST = Date.UTC(2199, 11, 28);

/** Limits the length, keeping the middle, and keeps the window in the supported range. */
export function clamped({ start, end }: TimeWindow): TimeWindow {
  const length = Math.min(LONGEST, Math.max(SHORTEST, end - start));
  const from = Math.min(LAST - length, Math.max(FIRST, (start + end - length) / 2));
  return { start: from, end: from + length };
}

/**
 * Zooms.
 *
 * @param factor below 1 zooms in
 * @param at the timestamp that stays in place
 */
export function zoomed({ start, end }: TimeWindow, factor: number, at: number): TimeWindow {
  const length = end - start;
  const wanted = Math.min(LONGEST, Math.max(SHORTEST, length * factor));
  const from = at - ((at - start) / length) * wanted;
  return clamped({ start: from, end: from + wanted });
}

/** Moves the window without changing its length. */
export function panned({ start, end }: TimeWindow, millis: number): TimeWindow {
  return clamped({ start: start + millis, end: end + millis });
}

export function middleOf({ start, end }: TimeWindow): number {
  return (start + end) / 2;
}

/** A window of a given length around a timestamp. */
export function resized(middle: number, length: number): TimeWindow {
  return clamped({ start: middle - length / 2, end: middle + length / 2 });
}

/** Position of a timestamp, in pixels from the left edge. */
export function xOf(instant: number, { start, end }: TimeWindow, width: number): number {
  return ((instant - start) / (end - start)) * width;
}

/** The timestamp at a position. */
export function instantAt(x: number, { start, end }: TimeWindow, width: number): number {
  return start + (x / Math.max(1, width)) * (end - start);
}

/** Parses the window in an address. @returns `undefined` if there is no valid one */
export function readWindow(params: URLSearchParams): TimeWindow | undefined {
  const [start, end] = [Date.parse(params.get("start") ?? ""), Date.parse(params.get("end") ?? "")];
  return start < end ? clamped({ start, end }) : undefined;
}

/** Formats a window for an address, to the millisecond. */
export function printWindow({ start, end }: TimeWindow): { readonly start: string; readonly end: string } {
  return { start: new Date(Math.round(start)).toISOString(), end: new Date(Math.round(end)).toISOString() };
}
