import { overlaps, type StoredEvent } from "../../src/domain/event.js";
import { serializeObject } from "../../src/domain/json.js";
import type { TimeRange } from "../../src/storage/storage.js";
import type { BucketState } from "./bucket-state.js";

/**
 * The version of a range: the segments that may overlap the range, whose numbers are never reused, and a hash of the
 * memtable's events in it. So they say what a read returns, whatever led to it, and stay valid after a reopening.
 */
export function rangeVersion(bucket: BucketState, { start, end }: Required<TimeRange>): string {
  const segments = bucket.index.overlapping(start, end).map(({ segmentNo, sum }) => `${segmentNo}.${sum}`);
  let [high, low, count] = [0, 0, 0];
  // Late events can have any position, and there are few.
  for (const event of bucket.memtable.events) {
    if (event.timestamp > end) break;
    if (!overlaps(event, start, end)) continue;
    const hash = hashOfEvent(event);
    high = (high + hash[0]) >>> 0;
    low = (low + hash[1]) >>> 0;
    count++;
  }
  return `${bucket.bucketNo} ${segments.join()} ${count}.${high}.${low}`;
}

/** Events never change, so all storages share them. */
const hashes: WeakMap<StoredEvent, Hash> = new WeakMap();

function hashOfEvent(event: StoredEvent): Hash {
  const known = hashes.get(event);
  if (known !== undefined) return known;
  const { id, timestamp, duration, data } = event;
  const hash = hashOf(`${id} ${timestamp} ${duration} ${serializeObject(data)}`);
  hashes.set(event, hash);
  return hash;
}

type Hash = readonly [high: number, low: number];

/** Two independent 32-bit hashes (cyrb53 without its last step). */
function hashOf(text: string): Hash {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  return [mixed(high, low), mixed(low, high)];
}

function mixed(one: number, other: number): number {
  const half = Math.imul(one ^ (one >>> 16), 2_246_822_507);
  return (half ^ Math.imul(other ^ (other >>> 13), 3_266_489_909)) >>> 0;
}
