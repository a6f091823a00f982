// Current activity, from the newest event of each watcher. Pure; live.tsx polls and displays.
import type { ClientEvent } from "../../client/client-types.js";
import type { ClientBucket } from "../../client/index.js";
import { isAhead, lastOf, type Reporting, reportingOf } from "../reporting.js";

/** A displayed watcher, with the newest event of its bucket. */
export interface Watched {
  readonly bucket: ClientBucket;
  readonly newest: ClientEvent | undefined;
}

/** Watchers of one kind. A host may have several for browsers or editors. */
export interface WatcherStatus {
  /** IDs of their buckets, the most recently active first. */
  readonly bucketIds: readonly string[];
  /** Displayed name: `window`, `afk`, `web`, `editor`. */
  readonly label: string;
  /** Number of reporting watchers. */
  readonly reporting: number;
  /** Seconds since the end of their last event; `undefined` without events. */
  readonly ageSeconds: number | undefined;
}

/** Displayed names by bucket type, in display order. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ["currentwindow", "window"],
  ["afkstatus", "afk"],
  ["web.tab.current", "web"],
  ["app.editor.activity", "editor"],
]);

/** Whether the strip shows a bucket. */
export function isWatcher({ type }: ClientBucket): boolean {
  return LABELS.has(type);
}

/** End of an event in Unix milliseconds. */
function endOf({ timestamp, duration }: ClientEvent): number {
  return Date.parse(timestamp) + duration * 1000;
}

/**
 * Last report of a watcher, in Unix milliseconds; 0 = never. An event far in the future hides all others of its bucket,
 * so that only events that have started count.
 */
export function lastSeen({ bucket, newest }: Watched, now: number): number {
  if (!isAhead(bucket, now)) return lastOf(bucket);
  return newest === undefined ? 0 : endOf(newest);
}

/** Watchers grouped by kind, in display order. @param now in Unix milliseconds */
export function groupWatchers(watched: readonly Watched[], now: number): WatcherStatus[] {
  return [...LABELS].flatMap(([type, label]) => {
    const same = watched
      .filter(({ bucket }) => bucket.type === type)
      .sort((a, b) => lastSeen(b, now) - lastSeen(a, now));
    const [newest] = same;
    if (newest === undefined) return [];
    const last = lastSeen(newest, now);
    return {
      bucketIds: same.map(({ bucket }) => bucket.id),
      label,
      reporting: same.filter((one) => createStatus(one, now) === "now").length,
      ageSeconds: last === 0 ? undefined : (now - last) / 1000,
    };
  });
}

function createStatus(watched: Watched, now: number): Reporting {
  return reportingOf(watched.bucket, now, lastSeen(watched, now));
}

/** The host to show: the first preferred one that reports, or the one that reported last. */
export function hostToShow(
  watched: readonly Watched[],
  wanted: readonly (string | null | undefined)[],
  { now, forgottenMillis }: { readonly now: number; readonly forgottenMillis: number },
): string {
  const byAge = [...watched].sort((a, b) => lastSeen(b, now) - lastSeen(a, now));
  const reporting = byAge.filter((one) => now - lastSeen(one, now) < forgottenMillis);
  const names = new Set(reporting.map(({ bucket }) => bucket.hostname));
  return wanted.find((host) => typeof host === "string" && names.has(host)) ?? byAge[0]?.bucket.hostname ?? "";
}

/** Current activity. */
export interface Activity {
  readonly isAway: boolean;
  /** App and title, or better details from a browser or editor; `""` if unknown. */
  readonly text: string;
  /** Seconds since it came to the front. */
  readonly seconds: number;
}

/** Whether the newest event of a watcher describes the current activity, so that it must be known. */
export function isTelling(one: Watched, all: readonly Watched[], now: number): boolean {
  const { type } = one.bucket;
  if (createStatus(one, now) !== "now") return false;
  if (type !== "app.editor.activity") return type === "currentwindow" || type === "afkstatus";
  return !all.some((other) => other.bucket.type === "currentwindow" && createStatus(other, now) === "now");
}

/** The current activity of a host; `undefined` if neither its window watcher nor its AFK watcher reports. */
export function activityOf(watched: readonly Watched[], now: number): Activity | undefined {
  const newestOf = (type: string): ClientEvent | undefined =>
    watched
      .filter((one) => one.bucket.type === type && createStatus(one, now) === "now")
      .flatMap(({ newest }) => newest ?? [])
      .sort((a, b) => endOf(b) - endOf(a))[0];
  const [afk, window, editor] = [newestOf("afkstatus"), newestOf("currentwindow"), newestOf("app.editor.activity")];
  const main = window ?? editor ?? afk;
  if (main === undefined) return undefined;
  const isAway = afk?.data["status"] === "afk";
  const since = isAway && afk !== undefined ? afk : main;
  return { isAway, text: describe(window ?? editor), seconds: Math.max(0, now - Date.parse(since.timestamp)) / 1000 };
}

/** Data may contain any values. */
function describe(event: ClientEvent | undefined): string {
  const { app, title, project, file } = event?.data ?? {};
  const texts = [app ?? project, title ?? file].filter((text) => typeof text === "string" && text !== "");
  return texts.join(" – ");
}
