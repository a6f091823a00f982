import type { EventBatch } from "../../src/domain/batch.js";
import { assertHeld, type TransactionView, transactionOver } from "../../src/storage/transaction.js";
import type { Engine } from "./engine.js";
import { recordKey } from "./keys.js";
import { readMethods } from "./read-methods.js";

/** A view, and its end. */
export interface Viewing {
  readonly view: TransactionView;
  /** Refuses what is asked from now on. */
  end(): void;
}

/** What a transaction sees. Its buckets do not change while it holds them, so they are read as by everybody else. */
export function viewOf(engine: Engine, held: ReadonlySet<string>): Viewing {
  const reads = readMethods(engine);
  let isOver = false;

  function assertUsable(bucketId?: string): void {
    engine.assertOpen();
    if (isOver) throw transactionOver();
    if (bucketId !== undefined) assertHeld(held, bucketId);
  }

  async function* whileUsable(batches: AsyncIterable<EventBatch>): AsyncGenerator<EventBatch> {
    for await (const batch of batches) {
      assertUsable();
      yield batch;
    }
  }

  const view: TransactionView = {
    async getBucket(bucketId) {
      assertUsable(bucketId);
      return engine.state.buckets.get(bucketId)?.bucket;
    },
    async read(bucketId, range) {
      assertUsable(bucketId);
      const { version, batches } = await reads.read(bucketId, range);
      return { version, batches: whileUsable(batches) };
    },
    async countEvents(bucketId, range) {
      assertUsable(bucketId);
      return reads.countEvents(bucketId, range);
    },
    async getEvent(bucketId, eventId) {
      assertUsable(bucketId);
      return reads.getEvent(bucketId, eventId);
    },
    async mergeTarget(bucketId) {
      assertUsable(bucketId);
      const bucket = engine.bucket(bucketId);
      const [entry] = bucket.knowsMergeTarget ? [] : bucket.index.entries.slice(-1);
      if (entry === undefined) return bucket.mergeTarget;
      const { batch } = await engine.cache.sourceFor(bucket, [entry])(entry);
      return batch.eventAt(batch.length - 1);
    },
    async nextEventId(bucketId) {
      assertUsable(bucketId);
      engine.bucket(bucketId);
      return engine.state.nextEventId;
    },
    async getRecord(recordKind, key) {
      assertUsable();
      return engine.state.values.get(recordKey(recordKind, key));
    },
  };
  return {
    view,
    end() {
      isOver = true;
    },
  };
}
