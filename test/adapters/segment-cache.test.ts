import { suite } from "uvu";
import * as assert from "uvu/assert";
import { BucketState } from "../../adapters/segments/bucket-state.js";
import { SegmentCache } from "../../adapters/segments/segment-cache.js";
import { encodeSegment } from "../../adapters/segments/segment-codec.js";
import { columnsOf } from "../../adapters/segments/segment-columns.js";
import { createEntry, type SegmentEntry } from "../../adapters/segments/segment-entry.js";
import type { SegmentName, SegmentStore } from "../../adapters/segments/store.js";
import { bucketOf } from "../contract/case.js";

const test = suite("segment cache");

const bucket = new BucketState(1, bucketOf("window"));
const stored = new Map<number, Uint8Array>();
const ENTRIES = Array.from({ length: 40 }, (_, segmentNo): SegmentEntry => {
  const name = { bucketNo: 1, segmentNo };
  const timestamp = 1.7e15 + segmentNo;
  const columns = columnsOf([{ id: segmentNo + 1, timestamp, duration: 0, data: { title: "a".repeat(1000) } }]);
  const bytes = encodeSegment(name, columns);
  stored.set(segmentNo, bytes);
  return createEntry(name, columns, bytes.length);
});

/** A cache over a store that notes each read, and the reported damage. */
function createCache(cacheBytes: number) {
  const reads: number[] = [];
  const store = {
    async readSegment({ segmentNo }: SegmentName) {
      reads.push(segmentNo);
      return stored.get(segmentNo);
    },
  } as unknown as SegmentStore;
  return { cache: new SegmentCache(store, cacheBytes, () => undefined), reads };
}

const entryAt = (index: number): SegmentEntry => ENTRIES[index] as SegmentEntry;

test("segments that are read once displace nothing from a full cache, those read twice do", async () => {
  const { cache, reads } = createCache(12_000);
  const read = async (index: number): Promise<boolean> => {
    const before = reads.length;
    await cache.sourceFor(bucket, [entryAt(index)])(entryAt(index));
    return reads.length > before;
  };
  const cached: number[] = [];
  for (let index = 4; index < 40; index++) await read(index);
  for (let index = 4; index < 40; index++) if (!(await read(index))) cached.push(index);
  assert.ok(cached.includes(4), "the first ones stay");
  assert.ok(cached.length < 10);
  assert.not(await read(39), "the second read of one that did not fit is cached");
});

test.run();
