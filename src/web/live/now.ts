// What goes on now, from the newest event of each watcher. Pure; live.tsx asks and shows.
import type { ClientEvent } from "../../client/client-types.js";
import type { ClientBucket } from "../../client/index.js";
import { isAhead, lastOf, type Reporting, reportingOf } from "../reporting.js";

/** A watcher that the strip shows, with the newest event of its bucket. */
export interface Watched {
  readonly bucket: ClientBucket;
  readonly newest: ClientEvent | undefined;
}

/** Watchers of one kind, of which a browser or an editor can have several. */
export interface Standing {
  /** Ids of their buckets, the one with the newest events first. */
  readonly bucketIds: readonly string[];
  /** For people: `window`, `afk`, `web`, `editor`. */
  readonly label: string;
  /** How many of them report. */
  readonly reporting: number;
  /** Since the end of their last event, in seconds; `undefined` when there is none. */
  readonly ageSeconds: number | undefined;
}

/** What the strip calls watchers, by the types of their buckets, in the order in which they stand there. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ["currentwindow", "window"],
  ["afkstatus", "afk"],
  ["web.tab.current", "web"],
  ["app.editor.activity", "editor"],
]);

/** Whether the strip has a place for a bucket. */
export function isWatcher({ type }: ClientBucket): boolean {
  return LABELS.has(type);
}

/** The end of an event in Unix milliseconds. */
function endOf({ timestamp, duration }: ClientEvent): number {
  return Date.parse(timestamp) + duration * 1000;
}

/**
 * When a watcher reported last, in Unix milliseconds; 0 = never. One event far ahead hides all others of its bucket,
 * so there the newest of those that have begun counts.
 */
export function lastSeen({ bucket, newest }: Watched, now: number): number {
  if (!isAhead(bucket, now)) return lastOf(bucket);
  return newest === undefined ? 0 : endOf(newest);
}

/** Watchers by kind, in the order of the kinds. @param now in Unix milliseconds */
export function standings(watched: readonly Watched[], now: number): Standing[] {
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
      reporting: same.filter((one) => standingOf(one, now) === "now").length,
      ageSeconds: last === 0 ? undefined : (now - last) / 1000,
    };
  });
}

function standingOf(watched: Watched, now: number): Reporting {
  return reportingOf(watched.bucket, now, lastSeen(watched, now));
}

/** The host that the strip is about: the first of those wanted that reports, or else the one that reported last. */
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

/** What goes on now. */
export interface Activity {
  readonly isAway: boolean;
  /** App and title, or what the browser or editor knows better; `""` when nobody tells. */
  readonly text: string;
  /** Since the thing in front came there, in seconds. */
  readonly seconds: number;
}

/** The present activity of a host; `undefined` when neither its window nor its afk watcher reports. */
export function activityOf(watched: readonly Watched[], now: number): Activity | undefined {
  const newestOf = (type: string): ClientEvent | undefined =>
    watched
      .filter((one) => one.bucket.type === type && standingOf(one, now) === "now")
      .flatMap(({ newest }) => newest ?? [])
      .sort((a, b) => endOf(b) - endOf(a))[0];
  const [afk, window, editor] = [newestOf("afkstatus"), newestOf("currentwindow"), newestOf("app.editor.activity")];
  const main = window ?? editor ?? afk;
  if (main === undefined) return undefined;
  const isAway = afk?.data["status"] === "afk";
  const since = isAway && afk !== undefined ? afk : main;
  return { isAway, text: describe(window ?? editor), seconds: Math.max(0, now - Date.parse(since.timestamp)) / 1000 };
}

/** Data may hold anything, and lack anything. */
function describe(event: ClientEvent | undefined): string {
  const { app, title, project, file } = event?.data ?? {};
  const texts = [app ?? project, title ?? file].filter((text) => typeof text === "string" && text !== "");
  return texts.join(" – ");
}
