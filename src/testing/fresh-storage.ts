import { memory } from "../../adapters/memory.js";
import type { Storage } from "../storage/storage.js";
import { transactOn } from "../storage/transaction.js";

/** A storage in memory that can be emptied while it is in use. */
export interface FreshStorage extends Storage {
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
const MOST_TURNS = 20 * QUIET_TURNS;

function nextTurn(): Promise<void> {
  // Outside Node there is no setImmediate.
  return new Promise((resolve) => void (setImmediate?.(resolve) ?? setTimeout(resolve, 0)));
}

/**
 * Makes such a storage.
 *
 * @param deviceId stays the same over all resets
 */
export function freshStorage(deviceId: string): FreshStorage {
  let current = memory();
  /** Calls so far, and batches read. */
  let calls = 0;
  let isClosed = false;

  function used(): Storage {
    calls++;
    return current;
  }

  async function* counted<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
    for await (const item of items) {
      calls++;
      yield item;
    }
  }

  async function quiet(): Promise<void> {
    let seen = calls;
    let quietTurns = 0;
    for (let turn = 0; turn < MOST_TURNS && quietTurns < QUIET_TURNS; turn++) {
      await nextTurn();
      quietTurns = calls === seen ? quietTurns + 1 : 0;
      seen = calls;
    }
  }

  return {
    traits: current.traits,
    ready: () => used().ready(),
    settings: {
      get: (key) => used().settings.get(key),
      list: () => used().settings.list(),
      put: (key, value) => used().settings.put(key, value),
      delete: (key) => used().settings.delete(key),
    },
    async deviceId() {
      // Only to be told when it is closed.
      await used().deviceId();
      return deviceId;
    },
    listBuckets: () => used().listBuckets(),
    getBucket: (bucketId) => used().getBucket(bucketId),
    summaries: (bucketIds) => used().summaries(bucketIds),
    createBucket: (bucket, drafts, unless) => used().createBucket(bucket, drafts, unless),
    updateBucket: (bucketId, patch) => used().updateBucket(bucketId, patch),
    deleteBucket: (bucketId) => used().deleteBucket(bucketId),
    putEvents: (bucketId, drafts) => used().putEvents(bucketId, drafts),
    mergeEvents: (bucketId, drafts) => used().mergeEvents(bucketId, drafts),
    heartbeat: (bucketId, beat, pulsetimeMicros) => used().heartbeat(bucketId, beat, pulsetimeMicros),
    getEvent: (bucketId, eventId) => used().getEvent(bucketId, eventId),
    async read(bucketId, range) {
      const { batches } = await used().read(bucketId, range);
      // Versions begin anew with each reset, so none is told.
      return { version: undefined, batches: counted(batches) };
    },
    countEvents: (bucketId, range) => used().countEvents(bucketId, range),
    deleteEvents: (bucketId, eventIds) => used().deleteEvents(bucketId, eventIds),
    records: (kind) => ({
      get: (key) => used().records(kind).get(key),
      list: () => used().records(kind).list(),
      compareAndSet: (key, expected, value) => used().records(kind).compareAndSet(key, expected, value),
    }),
    transact: (bucketIds, plan) => transactOn(used(), bucketIds, plan),
    backup: () => used().backup(),
    verify: (onProgress) => used().verify(onProgress),
    close() {
      isClosed = true;
      return current.close();
    },
    async reset() {
      await quiet();
      if (!isClosed) current = memory();
    },
  };
}
