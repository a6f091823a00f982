import { memory } from "../../adapters/memory.js";
import type { Storage } from "../storage/storage.js";
import { transactOn } from "../storage/transaction.js";
import type { FailurePlan } from "./failure-plan.js";

/** A storage in memory that can be emptied while it is in use. */
export interface ResettableStorage extends Storage {
  /**
   * Waits for calls in progress, then deletes everything: buckets, settings, and the counter of IDs. Reads in progress
   * continue with the old data.
   */
  reset(): Promise<void>;
}

/** Read when the module loads, because a test may replace the global functions with fake timers. */
const { setImmediate, setTimeout } = globalThis;

/**
 * Turns of the event loop without a call of the storage, after which no call of the server is in progress: about a
 * millisecond. A call of the server may make several calls of the storage and compute between them. Timers are slower.
 */
const QUIET_TURNS = setImmediate === undefined ? 20 : 200;
/** Limits the wait for a program that never stops writing. */
const MAX_TURNS = 20 * QUIET_TURNS;

function nextTurn(): Promise<void> {
  // Outside Node there is no setImmediate.
  return new Promise((resolve) => void (setImmediate?.(resolve) ?? setTimeout(resolve, 0)));
}

/**
 * Makes such a storage.
 *
 * @param deviceId stays the same over all resets
 * @param failures decides which of its calls fail
 */
export function createResettableStorage(deviceId: string, failures: FailurePlan): ResettableStorage {
  let current = memory();
  /** Calls so far, and batches read. */
  let calls = 0;
  let isClosed = false;

  function countCall(): Storage {
    calls++;
    return current;
  }

  async function* countBatches<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    for await (const item of items) {
      calls++;
      yield item;
    }
  }

  async function waitUntilQuiet(): Promise<void> {
    let seen = calls;
    let quietTurns = 0;
    for (let turn = 0; turn < MAX_TURNS && quietTurns < QUIET_TURNS; turn++) {
      await nextTurn();
      quietTurns = calls === seen ? quietTurns + 1 : 0;
      seen = calls;
    }
  }

  /** Makes a call, or rejects it if the test requested a failure. */
  function call<T>(kind: "read" | "write" | "record", work: (storage: Storage) => Promise<T>): Promise<T> {
    const failure = failures.nextError(kind);
    return failure === undefined ? work(countCall()) : Promise.reject(failure);
  }

  return {
    traits: current.traits,
    ready: () => countCall().ready(),
    settings: {
      get: (key) => call("read", ({ settings }) => settings.get(key)),
      list: () => call("read", ({ settings }) => settings.list()),
      put: (key, value) => call("write", ({ settings }) => settings.put(key, value)),
      delete: (key) => call("write", ({ settings }) => settings.delete(key)),
    },
    async deviceId() {
      // Called so that it rejects after `close()`.
      await countCall().deviceId();
      return deviceId;
    },
    listBuckets: () => call("read", (storage) => storage.listBuckets()),
    getBucket: (bucketId) => call("read", (storage) => storage.getBucket(bucketId)),
    summaries: (bucketIds) => call("read", (storage) => storage.summaries(bucketIds)),
    createBucket: (bucket, drafts, unless) => call("write", (storage) => storage.createBucket(bucket, drafts, unless)),
    updateBucket: (bucketId, patch) => call("write", (storage) => storage.updateBucket(bucketId, patch)),
    deleteBucket: (bucketId) => call("write", (storage) => storage.deleteBucket(bucketId)),
    putEvents: (bucketId, drafts) => call("write", (storage) => storage.putEvents(bucketId, drafts)),
    mergeEvents: (bucketId, drafts) => call("write", (storage) => storage.mergeEvents(bucketId, drafts)),
    heartbeat: (bucketId, beat, pulsetimeMicros) =>
      call("write", (storage) => storage.heartbeat(bucketId, beat, pulsetimeMicros)),
    getEvent: (bucketId, eventId) => call("read", (storage) => storage.getEvent(bucketId, eventId)),
    async read(bucketId, range) {
      const { batches } = await call("read", (storage) => storage.read(bucketId, range));
      // Versions restart with each reset, so a read has none.
      return { version: undefined, batches: countBatches(batches) };
    },
    countEvents: (bucketId, range) => call("read", (storage) => storage.countEvents(bucketId, range)),
    deleteEvents: (bucketId, eventIds) => call("write", (storage) => storage.deleteEvents(bucketId, eventIds)),
    records: (kind) => ({
      get: (key) => call("read", (storage) => storage.records(kind).get(key)),
      list: () => call("read", (storage) => storage.records(kind).list()),
      compareAndSet: (key, expected, value) =>
        call("record", (storage) => storage.records(kind).compareAndSet(key, expected, value)),
    }),
    transact: (bucketIds, plan) => call("write", (storage) => transactOn(storage, bucketIds, plan)),
    backup: () => countCall().backup(),
    verify: (onProgress) => countCall().verify(onProgress),
    close() {
      isClosed = true;
      return current.close();
    },
    async reset() {
      await waitUntilQuiet();
      if (!isClosed) current = memory();
    },
  };
}
