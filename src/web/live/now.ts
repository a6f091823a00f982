// What goes on now, from the newest event of each watcher. Pure; live.tsx asks and shows.
import type { ClientBucket, ClientEvent } from "../../client/client-types.js";
import { lastOf, reportingOf } from "../reporting.js";

/** A watcher that the strip shows, with the newest event of its bucket. */
export interface Watched {
  readonly bucket: ClientBucket;
  readonly newest: ClientEvent | undefined;
}

/** Whether a watcher still reports. */
export interface Standing {
  readonly bucketId: string;
  /** For people: `window`, `afk`, `web`, `editor`. */
  readonly label: string;
  readonly isReporting: boolean;
  /** Since the end of its last event, in seconds; `undefined` when it has none. */
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

/** What each watcher does, in the order of their types. @param now in Unix milliseconds */
export function standings(watchers: readonly ClientBucket[], now: number): Standing[] {
  const order = [...LABELS.keys()];
  const sorted = [...watchers].sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type));
  return sorted.map((bucket) => {
    const reporting = reportingOf(bucket, now);
    const ageSeconds = reporting === "empty" ? undefined : (now - lastOf(bucket)) / 1000;
    const label = LABELS.get(bucket.type) ?? bucket.type;
    return { bucketId: bucket.id, label, isReporting: reporting === "now", ageSeconds };
  });
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
      .filter(({ bucket }) => bucket.type === type && reportingOf(bucket, now) === "now")
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
