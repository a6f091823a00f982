import type { Bucket, BucketSummary } from "../../src/domain/bucket.js";
import type { StoredEvent } from "../../src/domain/event.js";
import { LazySet } from "../../src/util/lazy-collections.js";
import { Memtable } from "./memtable.js";
import { compareKeys, orderKey } from "./segment-entry.js";
import { SegmentIndex } from "./segment-index.js";

let nextInstance = 0;

/** Log position of the flush that a bucket's segments contain. */
export interface FlushPosition {
  /** Number of the commit; 0 before the first one. */
  readonly commit: number;
  /** Sequence number of the log batch. */
  readonly sequence: number;
}

/** A bucket in memory: its record, its memtable and the index of its segments. */
export class BucketState {
  readonly bucketNo: number;
  bucket: Bucket;
  readonly memtable: Memtable = new Memtable();
  readonly index: SegmentIndex = new SegmentIndex();
  /** The event that the last heartbeat created or extended. In the memtable as long as it exists. */
  mergeTargetId: number | undefined;
  flushed: FlushPosition = { commit: 0, sequence: 0 };
  nextSegmentNo = 0;
  /** Whether the bucket was deleted. */
  isDeleted = false;
  /** Events that a restructuring is moving into segments. They must not change until it is done. */
  frozen: ReadonlySet<number> | undefined;
  /** Set while its segments change. */
  restructuring: Promise<unknown> | undefined;
  /** Late events for a damaged segment. They stay in the memtable. */
  readonly stuck: LazySet<number> = new LazySet();
  /** Unique per state in this process: a recreated bucket gets a new one. */
  #instance = nextInstance++;

  constructor(bucketNo: number, bucket: Bucket) {
    this.bucketNo = bucketNo;
    this.bucket = bucket;
  }

  /** Changes the bucket's ID, and starts a new series of versions. */
  rename(bucket: Bucket): void {
    this.bucket = bucket;
    this.#instance = nextInstance++;
  }

  /** Changes with every change of the events. */
  get version(): string {
    return `${this.#instance}.${this.memtable.changes}.${this.index.changes}`;
  }

  get count(): number {
    return this.memtable.events.length + this.index.count;
  }

  summary(): BucketSummary {
    if (this.count === 0) return { ...this.bucket, start: null, end: null };
    const segmentStart = this.index.entries[0]?.first[0] ?? Number.POSITIVE_INFINITY;
    const memtableStart = this.memtable.events[0]?.timestamp ?? Number.POSITIVE_INFINITY;
    return {
      ...this.bucket,
      start: Math.min(segmentStart, memtableStart),
      end: Math.max(this.index.end, this.memtable.end),
    };
  }

  /** The event to compare the next heartbeat with, if it is in the memtable. */
  get mergeTarget(): StoredEvent | undefined {
    const { mergeTargetId, memtable } = this;
    return (mergeTargetId === undefined ? undefined : memtable.get(mergeTargetId)) ?? memtable.events.at(-1);
  }

  /** Whether `mergeTarget` is final: no event in a segment is newer. */
  get knowsMergeTarget(): boolean {
    if (this.mergeTargetId !== undefined && this.memtable.get(this.mergeTargetId) !== undefined) return true;
    const segment = this.index.entries.at(-1);
    const newest = this.memtable.events.at(-1);
    if (segment === undefined) return true;
    return newest !== undefined && compareKeys(orderKey(newest), segment.last) > 0;
  }

  /** Puts events into the memtable, replacing those with the same IDs. */
  put(events: readonly StoredEvent[]): void {
    this.memtable.putAll(events);
  }

  /** Removes events from the memtable. */
  take(events: readonly StoredEvent[]): void {
    this.memtable.removeAll(events);
    if (this.stuck.size > 0) for (const { id } of events) this.stuck.delete(id);
  }
}
