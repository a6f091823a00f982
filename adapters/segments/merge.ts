import type { EventBatch } from "../../src/domain/batch.js";
import { type EventDraft, positionOf, type StoredEvent } from "../../src/domain/event.js";
import { type JsonObject, sameJson } from "../../src/domain/json.js";
import { createPace } from "../../src/pace.js";
import type { BucketState } from "./bucket-state.js";
import type { SegmentCache } from "./segment-cache.js";
import { rowOf } from "./segment-codec.js";

/**
 * Those of some drafts that a bucket does not hold, by (timestamp, duration, data). Nothing may change the bucket
 * meanwhile.
 *
 * @throws ActivityError `STORAGE_CORRUPT` when a segment in which they could be is damaged
 */
export async function withoutKnown(
  bucket: BucketState,
  drafts: readonly EventDraft[],
  cache: SegmentCache,
): Promise<readonly EventDraft[]> {
  if (bucket.count === 0 || drafts.length === 0) return drafts;
  const pace = createPace();
  let unknown = drafts.filter((draft) => !isInMemtable(bucket.memtable.events, draft));
  const ascending = Float64Array.from(unknown, ({ timestamp }) => timestamp).sort();
  const entries = bucket.index.entries.filter(({ first, last }) => hasBetween(ascending, first[0], last[0]));
  const blockOf = cache.sourceFor(bucket, entries);
  for (const entry of entries) {
    const { batch } = await blockOf(entry);
    unknown = unknown.filter(
      (draft) => draft.timestamp < entry.first[0] || draft.timestamp > entry.last[0] || !isInBatch(batch, draft),
    );
    await pace.breathe();
  }
  return unknown;
}

function hasBetween(ascending: Float64Array, from: number, to: number): boolean {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return (ascending[low] ?? Number.POSITIVE_INFINITY) <= to;
}

function isInMemtable(events: readonly StoredEvent[], { timestamp, duration, data }: EventDraft): boolean {
  for (let at = positionOf(events, timestamp, 0); events[at]?.timestamp === timestamp; at++) {
    const event = events[at] as StoredEvent;
    if (event.duration === duration && isSame(event.data, data)) return true;
  }
  return false;
}

function isInBatch(batch: EventBatch, { timestamp, duration, data }: EventDraft): boolean {
  for (let row = rowOf(batch, timestamp, 0); batch.timestamps[row] === timestamp; row++) {
    if (batch.durations[row] === duration && isSame(batch.dataAt(row), data)) return true;
  }
  return false;
}

function isSame(a: JsonObject, b: JsonObject): boolean {
  return a === b || sameJson(a, b);
}
