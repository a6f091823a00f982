// What somebody types about an entry of the stopwatch. Pure.

import { addDays, dateAt, timeAt } from "../../wall-clock.js";
import { parseLocal, printLocal } from "../buckets/local-time.js";

/** What stands in the fields, as it was typed. */
export interface EntryFields {
  readonly label: string;
  readonly from: string;
  readonly to: string;
}

/** What is wrong with a field, as keys of the texts. */
export interface EntryProblems {
  readonly from?: "noStart" | "noTime" | undefined;
  readonly to?: "noEnd" | "noTime" | "backwards" | undefined;
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
  /** The date that a time alone is of. */
  readonly date: string;
  /** What the fields began with: a time that was not touched stays as exact as it is. */
  readonly before?: { readonly start: number; readonly end: number } | undefined;
  /** Whether it has no end yet. */
  readonly isRunning?: boolean | undefined;
}

/** `9:30`, `09:30:15`, `9.30`, `9:30 pm`, and in front of it perhaps a date. */
const TIME = /^(?:(\d{4}-\d\d-\d\d)(?:\s+|T))?(\d{1,2})[:.](\d\d)(?:[:.](\d\d))?(?:\s*([ap])\.?m\.?)?$/i;

/** Reads a moment, in Unix milliseconds; a time alone is of the date that is given. */
export function readMoment(text: string, date: string, zone: string): number | undefined {
  const found = TIME.exec(text.trim());
  if (found === null) return millisOf(parseLocal(text, zone));
  const [, day = date, hours = "", minutes = "", seconds = "00", half] = found;
  const hour = Number(hours);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const shown = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return millisOf(parseLocal(`${day} ${String(shown).padStart(2, "0")}:${minutes}:${seconds}`, zone));
}

function millisOf(micros: number | undefined): number | undefined {
  return micros === undefined ? undefined : micros / 1000;
}

/** A moment as it can be typed. */
export function printMoment(instant: number, zone: string): string {
  return printLocal(Math.round(instant) * 1000, zone);
}

/** Reads the fields. The end is of the date of the start, where it says none. */
export function readEntry({ from, to }: EntryFields, ground: EntryGround): ReadEntry {
  const { zone, date, before, isRunning = false } = ground;
  const read = (text: string, day: string, old: number | undefined): number | undefined =>
    old !== undefined && text === printMoment(old, zone) ? old : readMoment(text, day, zone);
  const start = read(from, date, before?.start);
  const end = isRunning ? start : read(to, start === undefined ? date : dateAt(start, zone), before?.end);
  const isBackwards = start !== undefined && end !== undefined && end < start;
  return {
    ...{ start, end },
    problems: {
      ...(start === undefined && { from: from.trim() === "" ? "noStart" : "noTime" }),
      ...(end === undefined && !isRunning && { to: to.trim() === "" ? "noEnd" : "noTime" }),
      ...(isBackwards && { to: "backwards" }),
    },
  };
}

/** What an end on the day after the start would be typed as. */
export function nextDayExample(start: number, end: number, zone: string): string {
  return `${addDays(dateAt(start, zone), 1)} ${timeAt(end, zone)}`;
}
