import { type EventDraft, positionOf } from "../../src/domain/event.js";
import { UnknownDrafts } from "../../src/domain/unknown-drafts.js";
import { createTimeSlice } from "../../src/util/time-slice.js";
import type { BucketState } from "./bucket-state.js";
import type { SegmentCache } from "./segment-cache.js";
import { rowOf } from "./segment-codec.js";
import { indexFrom } from "./segment-entry.js";

/**
 * The drafts that a bucket does not contain yet, by (timestamp, duration, data). The bucket must not change in the
 * meantime.
 *
 * @throws ActivityError `STORAGE_CORRUPT` when a segment that may contain one is damaged
 */
export async function excludeKnown(
  bucket: BucketState,
  drafts: readonly EventDraft[],
  cache: SegmentCache,
): Promise<readonly EventDraft[]> {
  if (bucket.count === 0 || drafts.length === 0) return drafts;
  const timeSlice = createTimeSlice();
  const unknown = new UnknownDrafts(drafts);
  const ascending = Float64Array.from(unknown.timestamps()).sort();
  const { events } = bucket.memtable;
  const entries = bucket.index.entries.filter(
    ({ first, last }) => (ascending[indexFrom(ascending, first[0])] ?? Number.POSITIVE_INFINITY) <= last[0],
  );
  for (const timestamp of ascending) {
    for (let at = positionOf(events, timestamp, 0); events[at]?.timestamp === timestamp; at++) {
      const { duration, data } = events[at] as (typeof events)[number];
      unknown.see(timestamp, duration, data);
    }
  }
  for (const entry of entries) {
    const { batch } = await cache.scan(bucket, entry);
    for (let at = indexFrom(ascending, entry.first[0]); (ascending[at] as number) <= entry.last[0]; at++) {
      const timestamp = ascending[at] as number;
      for (let row = rowOf(batch, timestamp, 0); batch.timestamps[row] === timestamp; row++) {
        unknown.see(timestamp, batch.durations[row] as number, batch.dataAt(row));
      }
    }
    await timeSlice.yield();
  }
  return unknown.rest();
}
