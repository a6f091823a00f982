// What somebody types about an entry of the stopwatch. Pure.
import { parseLocal, printLocal } from "../buckets/local-time.js";

/** What stands in the fields; times as those of a browser have them: `2026-11-21T09:30`. */
export interface EntryFields {
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

/** What is wrong with a field, as keys of the texts. */
export interface EntryProblems {
  readonly from?: "noStart" | undefined;
  readonly to?: "noEnd" | "backwards" | undefined;
}

/** What the times amount to, in Unix milliseconds; `undefined` for what is none. */
export interface ReadEntry {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly problems: EntryProblems;
}

/** What times are read with. */
export interface EntryGround {
  readonly zone: string;
  /** What the fields began with: a time that was not touched stays as exact as it is. */
  readonly before: { readonly start: number; readonly end: number };
  /** Whether it has no end yet. */
  readonly isRunning?: boolean | undefined;
}

/** A moment as a field for date and time has it. */
export function printMoment(instant: number, zone: string): string {
  return printLocal(Math.round(instant) * 1000, zone)
    .slice(0, 19)
    .replace(" ", "T")
    .replace(/(T\d\d:\d\d):00$/, "$1");
}

/** What the fields of a new entry begin with: the last hour. */
export function lastHour(now: number): { readonly start: number; readonly end: number } {
  const end = Math.floor(now / 60_000) * 60_000;
  return { start: end - 3_600_000, end };
}

/** Reads the fields. */
export function readEntry({ from, to }: EntryFields, ground: EntryGround): ReadEntry {
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
