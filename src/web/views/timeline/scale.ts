// The stretch of time that is in view, and how it moves. Pure; instants are Unix milliseconds, with fractions.

/** What is in view. */
export interface TimeWindow {
  readonly start: number;
  readonly end: number;
}

const SECOND = 1000;
const YEAR = 365.25 * 86_400 * SECOND;

/** Nobody looks closer than at one second. */
export const SHORTEST: number = SECOND;
/** Nor at more than this at once. */
export const LONGEST: number = 25 * YEAR;

/** The time that calendars of the page know, but for a day at either end. */
const FIRST = Date.UTC(1970, 0, 3);
const LAST = Date.UTC(2199, 11, 28);

/** Keeps the length within its limits, around the same middle, and the window within the time that there is. */
export function clamped({ start, end }: TimeWindow): TimeWindow {
  const length = Math.min(LONGEST, Math.max(SHORTEST, end - start));
  const from = Math.min(LAST - length, Math.max(FIRST, (start + end - length) / 2));
  return { start: from, end: from + length };
}

/**
 * Shows more or less time.
 *
 * @param factor below 1 shows less, so that everything grows
 * @param at the instant that stays where it is
 */
export function zoomed({ start, end }: TimeWindow, factor: number, at: number): TimeWindow {
  const length = end - start;
  const wanted = Math.min(LONGEST, Math.max(SHORTEST, length * factor));
  const from = at - ((at - start) / length) * wanted;
  return clamped({ start: from, end: from + wanted });
}

/** Shows an earlier or later time, of the same length. */
export function panned({ start, end }: TimeWindow, millis: number): TimeWindow {
  return clamped({ start: start + millis, end: end + millis });
}

export function middleOf({ start, end }: TimeWindow): number {
  return (start + end) / 2;
}

/** A window of a length around an instant. */
export function resized(middle: number, length: number): TimeWindow {
  return clamped({ start: middle - length / 2, end: middle + length / 2 });
}

/** Where an instant is, in pixels from the left edge. */
export function xOf(instant: number, { start, end }: TimeWindow, width: number): number {
  return ((instant - start) / (end - start)) * width;
}

/** The instant at a place. */
export function instantAt(x: number, { start, end }: TimeWindow, width: number): number {
  return start + (x / Math.max(1, width)) * (end - start);
}

/** Reads a window out of an address. @returns `undefined` when it has none that makes sense */
export function readWindow(params: URLSearchParams): TimeWindow | undefined {
  const [start, end] = [Date.parse(params.get("start") ?? ""), Date.parse(params.get("end") ?? "")];
  return start < end ? clamped({ start, end }) : undefined;
}

/** Writes a window for an address, to the millisecond. */
export function printWindow({ start, end }: TimeWindow): { readonly start: string; readonly end: string } {
  return { start: new Date(Math.round(start)).toISOString(), end: new Date(Math.round(end)).toISOString() };
}
