// Detects whether buckets still receive events, from the end of the last one. Pure.
import type { ClientBucket } from "../client/index.js";

/** Maximum silence of a healthy watcher by type, in seconds: several heartbeats plus latency. */
const SILENCE: ReadonlyMap<string, number> = new Map([
  ["currentwindow", 60],
  // Its event ends at the last input; after three minutes without input, the watcher reports idle time.
  ["afkstatus", 240],
  // These two report only user activity.
  ["web.tab.current", 150],
  ["app.editor.activity", 150],
]);
/** Maximum silence of unknown types: polling watchers report about every minute, and may skip three reports. */
const OTHER_SILENCE = 180;
const DAY = 86_400;

/** Status of a bucket. */
export type Reporting = "now" | "recent" | "silent" | "empty";

/** End of the bucket's last event, in Unix milliseconds; 0 = no events. */
export function lastOf({ metadata, last_updated: updated }: ClientBucket): number {
  return Date.parse(metadata?.end ?? updated ?? "") || 0;
}

/** Whether the bucket's last event ends so far in the future that it does not show current activity. */
export function isAhead(bucket: ClientBucket, now: number): boolean {
  return lastOf(bucket) - now > DAY * 1000;
}

/** Like `lastOf`, but 0 for an end far in the future: one bad event must not hide all others. */
export function pastLastOf(bucket: ClientBucket, now: number): number {
  return isAhead(bucket, now) ? 0 : lastOf(bucket);
}

/**
 * Whether a bucket still receives events. It does if its last event ends in the future: an absence until midnight, or a
 * watcher with a fast clock. An event on another day does not count.
 *
 * @param now in Unix milliseconds
 * @param last end of its last event, if known better than from the bucket
 */
export function reportingOf(bucket: ClientBucket, now: number, last: number = lastOf(bucket)): Reporting {
  if (last === 0) return "empty";
  const silence = (now - last) / 1000;
  if (silence < -DAY) return "silent";
  if (silence <= (SILENCE.get(bucket.type) ?? OTHER_SILENCE)) return "now";
  return silence <= DAY ? "recent" : "silent";
}
