import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { knownBuckets } from "../buckets.js";
import { shorten } from "../format.js";
import { reloadOnChanges } from "../live/changes.js";
import { href } from "../router.js";
import { clockOf, STOPWATCH_BUCKET, secondsOf } from "./entries.js";
import { refreshEntries, reread, running } from "./state.js";
import { useSeconds } from "./ticking.js";

/** Running entries, in the strip of every view. */
export function RunningEntries(): JSX.Element | null {
  const list = running.value;
  const now = useSeconds(list.length > 0);
  useEffect(() => void refreshEntries(), [knownBuckets.value]);
  useEffect(() => reloadOnChanges((message) => "bucket" in message && message.bucket === STOPWATCH_BUCKET, reread), []);
  const [first] = list;
  if (first === undefined) return null;
  return (
    <span class="live-stopwatch">
      <a href={href(["stopwatch"])} title={first.label}>
        {shorten(first.label || "⏱", 40)}
      </a>{" "}
      <span class="quiet">
        {clockOf(secondsOf(first, now))}
        {list.length > 1 && ` +${list.length - 1}`}
      </span>
    </span>
  );
}
