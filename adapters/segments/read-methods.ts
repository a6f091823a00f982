import type { EventBatch } from "../../src/domain/batch.js";
import type { StoredEvent } from "../../src/domain/event.js";
import type { EventRange, Storage, TimeRange, VersionToken } from "../../src/storage/storage.js";
import type { Engine } from "./engine.js";
import { rangeVersion } from "./range-versions.js";
import { countOverlapping, runPlan } from "./read.js";
import { planRead } from "./read-plan.js";
import { rowOfId } from "./segment-codec.js";
import { mayContain } from "./segment-entry.js";

type ReadMethods = Pick<Storage, "getEvent" | "read" | "countEvents"> & {
  versions(bucketIds: readonly (string | null)[]): readonly VersionToken[];
  rangeVersions(bucketId: string, ranges: readonly Required<TimeRange>[]): readonly VersionToken[];
};

/** Releases the segments of reads whose batches were never requested. */
const abandonedReads = new FinalizationRegistry<() => void>((release) => release());

/** The storage methods that read events. */
export const READ_METHODS: ReadMethods & ThisType<{ readonly engine: Engine }> = {
  async getEvent(bucketId, eventId) {
    const { engine } = this;
    const bucket = engine.bucket(bucketId);
    const event = bucket.memtable.get(eventId);
    if (event !== undefined) return event;
    const entries = bucket.index.entries.filter((entry) => mayContain(entry, eventId));
    const blockOf = engine.cache.sourceFor(bucket, entries);
    return engine.pins.whilePinned(async (): Promise<StoredEvent | undefined> => {
      for (const entry of entries) {
        const { batch } = await blockOf(entry);
        const row = rowOfId(batch, eventId);
        if (row >= 0) return batch.eventAt(row);
      }
      return undefined;
    });
  },

  async read(bucketId, range: EventRange = {}) {
    const { engine } = this;
    const { cache, pins } = engine;
    const bucket = engine.bucket(bucketId);
    const plan = planRead(bucket, range);
    const { version } = bucket;
    if (plan.segments.length === 0) return { version, batches: runPlan(plan, cache.sourceFor(bucket, [])) };
    const { run, end } = pins.pinParts();
    const blockOf = cache.sourceFor(bucket, plan.segments);
    const batches = withRelease(
      runPlan(plan, (entry) => run(() => blockOf(entry))),
      end,
    );
    abandonedReads.register(batches, end, end);
    return { version, batches };
  },

  async countEvents(bucketId, range = {}) {
    const { engine } = this;
    const bucket = engine.bucket(bucketId);
    if (range.start === undefined && range.end === undefined) return bucket.count;
    const plan = planRead(bucket, range);
    return engine.pins.whilePinned(() => countOverlapping(plan, engine.cache.sourceFor(bucket, bucket.index.entries)));
  },

  versions(bucketIds) {
    const { state, isClosing } = this.engine;
    if (isClosing) return bucketIds.map(() => undefined);
    return bucketIds.map((id) => (id === null ? `list.${state.listChanges}` : state.buckets.get(id)?.version));
  },

  rangeVersions(bucketId, ranges) {
    const { state, isClosing } = this.engine;
    const bucket = isClosing ? undefined : state.buckets.get(bucketId);
    return ranges.map((range) => bucket && rangeVersion(bucket, range));
  },
};

/** Wraps batches to release the read's segments at their end, at an error and at an early return. */
function withRelease(
  reading: AsyncGenerator<EventBatch>,
  release: () => void,
): AsyncIterableIterator<EventBatch> & AsyncIterator<EventBatch> {
  function done(): void {
    abandonedReads.unregister(release);
    release();
  }
  return {
    async next() {
      try {
        const result = await reading.next();
        if (result.done) done();
        return result;
      } catch (thrown) {
        done();
        throw thrown;
      }
    },
    async return() {
      done();
      return reading.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
