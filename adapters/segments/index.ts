// The segment engine: a Storage over a byte store. Memtable, log and immutable segments; see docs/storage.md.
// A binding gives it a SegmentStore (store.ts) and gets a Storage.

import { ActivityError, messageOf, storageClosed } from "../../src/errors.js";
import { type Logger, silentLogger } from "../../src/logger.js";
import { DEVICE_KIND, deviceIdIn } from "../../src/storage/records.js";
import type { Storage, StorageTraits } from "../../src/storage/storage.js";
import { Engine } from "./engine.js";
import { createMethods, type EngineMethods } from "./methods.js";
import { startScrub } from "./scrub.js";
import { loadState } from "./state.js";
import type { SegmentStore } from "./store.js";

export type { Commit, LogBatch, OpenedStore, SegmentName, SegmentStore, StoredEntry } from "./store.js";

/** How to make a storage over a byte store. */
export interface SegmentStorageOptions {
  /** Makes a store that is not open. Called for each attempt to open. */
  readonly openStore: (logger: Logger) => SegmentStore | Promise<SegmentStore>;
  /** Called when an attempt has failed; the next call makes another one. */
  readonly onFailure?: (() => void) | undefined;
  readonly traits: StorageTraits;
  /** Memory for decoded segments, in bytes. 0 keeps none. @default 32 MiB */
  readonly cacheBytes?: number | undefined;
  /** Where to report failures and damage; the server's own logger where it is left out. */
  readonly logger?: Logger | undefined;
}

export const DEFAULT_CACHE_BYTES: number = 32 * 1024 * 1024;

interface Opened {
  readonly engine: Engine;
  readonly methods: EngineMethods;
  readonly stopScrub: () => void;
}

/** A storage over a byte store. Not open before `ready()` or the first call. */
export function createSegmentStorage(options: SegmentStorageOptions): Storage {
  const { traits, cacheBytes = DEFAULT_CACHE_BYTES } = options;
  let logger = options.logger ?? silentLogger;
  let opened: Opened | undefined;
  let opening: Promise<Opened> | undefined;
  let closing: Promise<void> | undefined;

  async function openNow(): Promise<Opened> {
    const store = await options.openStore(logger);
    const found = await store.open();
    try {
      const state = await loadState(found, store.name);
      const engine = new Engine({ store, state, cacheBytes, logger });
      return { engine, methods: createMethods(engine), stopScrub: startScrub(engine) };
    } catch (cause) {
      await store.close().catch(() => undefined);
      if (ActivityError.is(cause)) throw cause;
      const reason = messageOf(cause);
      throw new ActivityError("STORAGE_CORRUPT", `${store.name} cannot be read: ${reason}`, { cause });
    }
  }

  function open(): Promise<Opened> {
    if (closing !== undefined) return Promise.reject(storageClosed());
    opening ??= openNow().then(
      (result) => {
        opened = result;
        return result;
      },
      (cause: unknown) => {
        // The next call tries again.
        opening = undefined;
        options.onFailure?.();
        throw cause;
      },
    );
    return opening;
  }

  /** Calls a method at once where the storage is open: calls must not overtake each other. */
  function call<T>(use: (methods: EngineMethods) => Promise<T>): Promise<T> {
    if (closing !== undefined) return Promise.reject(storageClosed());
    return opened === undefined ? open().then(({ methods }) => use(methods)) : use(opened.methods);
  }

  async function shutDown(): Promise<void> {
    const result = await opening?.catch(() => undefined);
    result?.stopScrub();
    await result?.engine.close();
  }

  const records: Storage["records"] = (kind) => ({
    get: (key) => call((methods) => methods.records(kind).get(key)),
    list: () => call((methods) => methods.records(kind).list()),
    compareAndSet: (key, expected, value) =>
      call((methods) => methods.records(kind).compareAndSet(key, expected, value)),
  });

  return {
    traits,
    settings: {
      get: (key) => call(({ settings }) => settings.get(key)),
      list: () => call(({ settings }) => settings.list()),
      put: (key, value) => call(({ settings }) => settings.put(key, value)),
      delete: (key) => call(({ settings }) => settings.delete(key)),
    },
    records,
    async ready() {
      await open();
    },
    deviceId: () => deviceIdIn(records(DEVICE_KIND)),
    listBuckets: () => call((methods) => methods.listBuckets()),
    getBucket: (bucketId) => call((methods) => methods.getBucket(bucketId)),
    summaries: (bucketIds) => call((methods) => methods.summaries(bucketIds)),
    createBucket: (bucket, drafts) => call((methods) => methods.createBucket(bucket, drafts)),
    updateBucket: (bucketId, patch) => call((methods) => methods.updateBucket(bucketId, patch)),
    deleteBucket: (bucketId) => call((methods) => methods.deleteBucket(bucketId)),
    putEvents: (bucketId, drafts) => call((methods) => methods.putEvents(bucketId, drafts)),
    mergeEvents: (bucketId, drafts) => call((methods) => methods.mergeEvents(bucketId, drafts)),
    heartbeat: (bucketId, beat, pulsetimeMicros) =>
      call((methods) => methods.heartbeat(bucketId, beat, pulsetimeMicros)),
    deleteEvents: (bucketId, eventIds) => call((methods) => methods.deleteEvents(bucketId, eventIds)),
    transact: (bucketIds, plan) => call((methods) => methods.transact(bucketIds, plan)),
    getEvent: (bucketId, eventId) => call((methods) => methods.getEvent(bucketId, eventId)),
    read: (bucketId, range) => call((methods) => methods.read(bucketId, range)),
    countEvents: (bucketId, range) => call((methods) => methods.countEvents(bucketId, range)),
    versions(bucketIds) {
      if (closing !== undefined) return bucketIds.map(() => undefined);
      if (opened !== undefined) return opened.methods.versions(bucketIds);
      return open().then(({ methods }) => methods.versions(bucketIds));
    },
    async *backup() {
      yield* (await open()).methods.backup();
    },
    eraseDeleted: () => call((methods) => methods.eraseDeleted()),
    verify: (onProgress) => call((methods) => methods.verify(onProgress)),
    health: () => opened?.engine.health() ?? { state: "ok", problems: [] },
    useLogger(given) {
      logger = options.logger ?? given;
    },
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
}
