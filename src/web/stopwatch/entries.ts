// Stopwatch entries, in the bucket of ActivityWatch's web UI (docs/reference/compatibility.md#buckets-of-watchers).
// Pure.
import type { ClientEvent, NewBucket, NewEvent } from "../../client/client-types.js";
import { type Calendar, dayAt } from "../period.js";

export const STOPWATCH_BUCKET = "aw-stopwatch";
/** The bucket as ActivityWatch's web UI creates it. */
export const STOPWATCH: NewBucket = { type: "general.stopwatch", client: "aw-webui", hostname: "unknown" };

/** A running or finished entry. */
export interface Entry {
  readonly id: number;
  readonly label: string;
  readonly isRunning: boolean;
  /** Unix milliseconds. */
  readonly start: number;
  /** For a running entry, the end of the last report, usually the start. */
  readonly end: number;
  /** All data of the event, including unknown members. */
  readonly data: ClientEvent["data"];
}

/** Entries of one day. */
export interface EntryDay {
  readonly date: string;
  readonly entries: readonly Entry[];
  readonly seconds: number;
}

/** Entries of a bucket, newest first. */
export function readEntries(events: readonly ClientEvent[]): readonly Entry[] {
  const entries = events.flatMap(({ id, timestamp, duration, data }): Entry[] => {
    const start = Date.parse(timestamp);
    if (typeof id !== "number" || Number.isNaN(start)) return [];
    const { label, running } = data;
    return [
      {
        ...{ id, start, end: start + Math.max(0, duration) * 1000, data },
        label: typeof label === "string" ? label : "",
        isRunning: running === true,
      },
    ];
  });
  return entries.sort((a, b) => b.start - a.start || b.id - a.id);
}

/** Seconds of an entry so far. */
export function secondsOf({ isRunning, start, end }: Entry, now: number): number {
  return Math.max(0, (isRunning ? now : end) - start) / 1000;
}

/** Formats a running clock: `1:30:05`. */
export function clockOf(seconds: number): string {
  const whole = Math.floor(seconds);
  const two = (count: number): string => String(count).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** Finished entries by day, newest first. */
export function byDay(entries: readonly Entry[], calendar: Calendar): readonly EntryDay[] {
  const days = new Map<string, Entry[]>();
  for (const entry of entries.filter(({ isRunning }) => !isRunning)) {
    const date = dayAt(entry.start, calendar);
    days.set(date, [...(days.get(date) ?? []), entry]);
  }
  return [...days].map(([date, list]) => ({
    ...{ date, entries: list },
    seconds: list.reduce((sum, entry) => sum + secondsOf(entry, 0), 0),
  }));
}

/** Used labels, most recent first. */
export function labelsOf(entries: readonly Entry[]): readonly string[] {
  return [...new Set(entries.map(({ label }) => label).filter((label) => label !== ""))].slice(0, 50);
}

/** The event that starts an entry. */
export function startOf(label: string, now: number): NewEvent {
  return { timestamp: new Date(now), duration: 0, data: { label: label.trim(), running: true } };
}

/** The event of a finished entry. In Unix milliseconds. */
export function finished(label: string, start: number, end: number): NewEvent {
  const data = { label: label.trim(), running: false };
  return { timestamp: new Date(start), duration: Math.max(0, end - start) / 1000, data };
}

/** The event of an entry that ends now. */
export function stopped(entry: Entry, now: number): NewEvent {
  return changed({ ...entry, isRunning: false, end: Math.max(entry.start, now) });
}

/** The event of a changed entry, which replaces the previous one. */
export function changed({ id, label, isRunning, start, end, data }: Entry): NewEvent {
  return {
    ...{ id, timestamp: new Date(start), duration: isRunning ? 0 : Math.max(0, end - start) / 1000 },
    data: { ...data, label: label.trim(), running: isRunning },
  };
}
