// Whether buckets still get events, by the end of their last one. Pure.
import type { ClientBucket } from "../client/index.js";

/** The longest that a healthy watcher of each type is silent, in seconds: some beats of it, and the way here. */
const SILENCE: ReadonlyMap<string, number> = new Map([
  ["currentwindow", 60],
  // Its event ends with the last input, until it takes the silence of the keyboard for absence after three minutes.
  ["afkstatus", 240],
  // These two report only what somebody does in them.
  ["web.tab.current", 150],
  ["app.editor.activity", 150],
]);
/** The same for types that nobody knows: those that poll report about every minute, and may leave out three. */
const OTHER_SILENCE = 180;
const DAY = 86_400;

/** What a bucket seems to be doing. */
export type Reporting = "now" | "recent" | "silent" | "empty";

/** When the last event of a bucket ends, in Unix milliseconds; 0 = it has none. */
export function lastOf({ metadata, last_updated: updated }: ClientBucket): number {
  return Date.parse(metadata?.end ?? updated ?? "") || 0;
}

/** Whether the last event of a bucket ends so far ahead that it tells nothing of what goes on now. */
export function isAhead(bucket: ClientBucket, now: number): boolean {
  return lastOf(bucket) - now > DAY * 1000;
}

/** The same as `lastOf`, but 0 also for an end that lies far ahead: one odd event must not stand for all others. */
export function pastLastOf(bucket: ClientBucket, now: number): number {
  return isAhead(bucket, now) ? 0 : lastOf(bucket);
}

/**
 * Whether a bucket still gets events. One whose last event has yet to end does: that may be an absence up to midnight,
 * or the clock of the watcher is ahead. An event of another day tells nothing of what goes on now.
 *
 * @param now in Unix milliseconds
 * @param last end of its last event, where something better is known than what the bucket says
 */
export function reportingOf(bucket: ClientBucket, now: number, last: number = lastOf(bucket)): Reporting {
  if (last === 0) return "empty";
  const silence = (now - last) / 1000;
  if (silence < -DAY) return "silent";
  if (silence <= (SILENCE.get(bucket.type) ?? OTHER_SILENCE)) return "now";
  return silence <= DAY ? "recent" : "silent";
}
