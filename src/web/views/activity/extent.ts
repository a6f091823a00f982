// Time range of buckets. Pure.
import type { ClientBucket } from "../../../client/index.js";
import { lastOf } from "../../reporting.js";

/** First start and last end of events in Unix milliseconds; `undefined` without events. */
export function extentOf(
  buckets: readonly ClientBucket[],
): { readonly start: number; readonly end: number } | undefined {
  const filled = buckets.filter((bucket) => lastOf(bucket) > 0);
  if (filled.length === 0) return undefined;
  const starts = filled.map(({ metadata, created }) => Date.parse(metadata?.start ?? created) || 0);
  return { start: Math.min(...starts), end: Math.max(...filled.map(lastOf)) };
}
