import { memory } from "../../adapters/memory.js";
import type { Storage } from "../storage/storage.js";
import { transactOn } from "../storage/transaction.js";
import type { FailurePlan } from "./failure-plan.js";

/** A storage in memory that can be emptied while it is in use. */
export interface ResettableStorage extends Storage {
  /**
   * Lets what is being carried out finish, then forgets everything: buckets, settings, ids that were given out. Reads
   * that have begun go on with what they began with.
   */
  reset(): Promise<void>;
}

/** Taken at once: a test may put fake timers in the place of the global functions. */
const { setImmediate, setTimeout } = globalThis;

/**
 * A call of the server may take several of the storage, with turns of the event loop between them while it computes.
 * When there was none for so many turns, about a millisecond, no such call is under way. Timers are slower.
 */
const QUIET_TURNS = setImmediate === undefined ? 20 : 200;
/** Somebody who never stops writing must not hold up a test for ever. */
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

  /** A call that fails where the test wants it to. */
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
      // Only to be told when it is closed.
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
      // Versions begin anew with each reset, so none is told.
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
