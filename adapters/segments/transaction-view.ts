import { type HeldView, heldView } from "../../src/storage/transaction.js";
import type { Engine } from "./engine.js";
import { recordKey } from "./keys.js";
import { readMethods } from "./read-methods.js";

/** What a transaction sees. Its buckets do not change while it holds them, so they are read as by everybody else. */
export function viewOf(engine: Engine, held: ReadonlySet<string>): HeldView {
  const { read, countEvents, getEvent } = readMethods(engine);
  const view: HeldView["view"] = {
    ...{ read, countEvents, getEvent },
    getBucket: async (bucketId) => engine.state.buckets.get(bucketId)?.bucket,
    async mergeTarget(bucketId) {
      const bucket = engine.bucket(bucketId);
      const [entry] = bucket.knowsMergeTarget ? [] : bucket.index.entries.slice(-1);
      if (entry === undefined) return bucket.mergeTarget;
      const { batch } = await engine.cache.sourceFor(bucket, [entry])(entry);
      return batch.eventAt(batch.length - 1);
    },
    async nextEventId(bucketId) {
      engine.bucket(bucketId);
      return engine.state.nextEventId;
    },
    getRecord: async (recordKind, key) => engine.state.values.get(recordKey(recordKind, key)),
  };
  return heldView(held, view, () => engine.assertOpen());
}
