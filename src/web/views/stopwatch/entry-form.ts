// The form of a stopwatch entry. Pure.
import { parseLocal, printLocal } from "../buckets/local-time.js";

/** Content of the fields; times in the format of browser inputs: `2026-11-21T09:30`. */
export interface EntryFields {
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

/** Errors by field, as text keys. */
export interface EntryProblems {
  readonly from?: "noStart" | undefined;
  readonly to?: "noEnd" | "backwards" | undefined;
}

/** Parsed times in Unix milliseconds; `undefined` for invalid ones. */
export interface ReadEntry {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly problems: EntryProblems;
}

/** Context for parsing times. */
export interface EntryContext {
  readonly zone: string;
  /** Initial times: unchanged ones keep their full precision. */
  readonly before: { readonly start: number; readonly end: number };
  /** Whether it has no end yet. */
  readonly isRunning?: boolean | undefined;
}

/** Formats a timestamp for a date and time input. */
export function printMoment(instant: number, zone: string): string {
  return printLocal(Math.round(instant) * 1000, zone)
    .slice(0, 19)
    .replace(" ", "T")
    .replace(/(T\d\d:\d\d):00$/, "$1");
}

/** Initial times of a new entry: the last hour. */
export function lastHour(now: number): { readonly start: number; readonly end: number } {
  const end = Math.floor(now / 60_000) * 60_000;
  return { start: end - 3_600_000, end };
}

/** Parses the fields. */
export function readEntry({ from, to }: EntryFields, ground: EntryContext): ReadEntry {
  const { zone, before, isRunning = false } = ground;
  const read = (text: string, old: number): number | undefined => {
    if (text === printMoment(old, zone)) return old;
    const micros = parseLocal(text, zone);
    return micros === undefined ? undefined : micros / 1000;
  };
  const start = read(from, before.start);
  const end = isRunning ? start : read(to, before.end);
  const isBackwards = start !== undefined && end !== undefined && end < start;
  return {
    ...{ start, end },
    problems: {
      ...(start === undefined && { from: "noStart" }),
      ...(end === undefined && !isRunning && { to: "noEnd" }),
      ...(isBackwards && { to: "backwards" }),
    },
  };
}
