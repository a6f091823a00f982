import type { Bucket } from "../../src/domain/bucket.js";
import { type EventDraft, numbered, type StoredEvent } from "../../src/domain/event.js";
import { ifCode } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import { BucketState } from "./bucket-state.js";
import type { Engine } from "./engine.js";
import { bucketKey, recordKey, tombstoneKey } from "./keys.js";
import { bucketLine, deleteBucketLine, nextIdLine, putLine } from "./log-codec.js";
import { markDeleted } from "./prepare-commit.js";
import type { Applied } from "./serial-queue.js";
import { sortByCreation } from "./state.js";

type BucketMethods = Pick<
  Storage,
  "listBuckets" | "getBucket" | "summaries" | "createBucket" | "updateBucket" | "deleteBucket"
>;

/** The storage methods for buckets. */
export const BUCKET_METHODS: BucketMethods & ThisType<{ readonly engine: Engine }> = {
  async listBuckets() {
    const { engine } = this;
    engine.assertOpen();
    return Array.from(engine.state.buckets.values(), ({ bucket }) => bucket);
  },

  async getBucket(bucketId) {
    const { engine } = this;
    engine.assertOpen();
    return engine.state.buckets.get(bucketId)?.bucket;
  },

  async summaries(bucketIds) {
    const { engine } = this;
    engine.assertOpen();
    const buckets = bucketIds?.flatMap((id) => engine.state.buckets.get(id) ?? []) ?? [
      ...engine.state.buckets.values(),
    ];
    return buckets.map((bucket) => bucket.summary());
  },

  createBucket(bucket, drafts = [], unless) {
    const { engine } = this;
    return engine.runInOrder<readonly StoredEvent[] | undefined>(bucket.id, () => {
      const isRefused = unless !== undefined && engine.state.values.has(recordKey(unless.recordKind, unless.key));
      if (isRefused || engine.state.buckets.has(bucket.id))
        return { result: undefined, durable: engine.log.awaitDurable() };
      return create(engine, bucket, drafts);
    });
  },

  updateBucket(bucketId, patch) {
    const { engine } = this;
    const { state } = engine;
    return engine
      .change(bucketId, (bucket) => {
        const before = bucket.bucket;
        const key = bucketKey(bucket.bucketNo);
        bucket.bucket = { ...before, ...patch };
        const line = bucketLine(bucket.bucketNo, bucket.bucket);
        state.dirty.add(key, line);
        state.listChanges++;
        const durable = engine.log.append([line], () => {
          bucket.bucket = before;
          state.dirty.add(key, bucketLine(bucket.bucketNo, before));
          state.listChanges++;
        });
        return { result: true, durable };
      })
      .catch(ifCode("NO_SUCH_BUCKET", false));
  },

  deleteBucket(bucketId) {
    const { engine } = this;
    const { state } = engine;
    return engine
      .change(
        bucketId,
        (bucket) => {
          bucket.isDeleted = true;
          state.buckets.delete(bucketId);
          markDeleted(state, bucket);
          state.listChanges++;
          const lines = [deleteBucketLine(bucket.bucketNo), nextIdLine(state.nextEventId)];
          const durable = engine.log.append(lines, () => {
            bucket.isDeleted = false;
            state.deleted.delete(bucket.bucketNo);
            state.dirty.add(tombstoneKey(bucket.bucketNo));
            state.buckets.set(bucketId, bucket);
            sortByCreation(state.buckets);
            state.listChanges++;
          });
          void durable.then(
            () => engine.cleaner.schedule(),
            () => undefined,
          );
          return { result: true, durable };
        },
        { isDeletion: true },
      )
      .catch(ifCode("NO_SUCH_BUCKET", false));
  },
};

function create(engine: Engine, bucket: Bucket, drafts: readonly EventDraft[]): Applied<readonly StoredEvent[]> {
  const { state } = engine;
  const created = new BucketState(state.nextBucketNo++, bucket);
  const { events, nextId } = numbered(drafts, state.nextEventId);
  state.nextEventId = nextId;
  const line = bucketLine(created.bucketNo, bucket);
  const lines = [line];
  if (events.length > 0) {
    created.put([...new Map(events.map((event) => [event.id, event])).values()]);
    lines.push(putLine(created.bucketNo, undefined, events), nextIdLine(nextId));
  }
  state.buckets.set(bucket.id, created);
  state.dirty.add(bucketKey(created.bucketNo), line);
  state.listChanges++;
  const durable = engine.log.append(lines, () => {
    created.isDeleted = true;
    state.buckets.delete(bucket.id);
    state.listChanges++;
  });
  engine.flushIfLarge(created);
  return { result: events, durable };
}
