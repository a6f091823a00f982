// The segment engine: a Storage over a byte store, with memtables, a log and immutable segments; see
// docs/explanation/storage-engine.md. A binding implements SegmentStore (store.ts) and gets a Storage.

import { ActivityError, messageOf } from "../../src/errors.js";
import { type Logger, silentLogger } from "../../src/logger.js";
import { lazyStorage } from "../../src/storage/lazy-storage.js";
import type { ServerParts, Sharing } from "../../src/storage/opening.js";
import type { DestroyableStorage, Storage, StorageTraits } from "../../src/storage/storage.js";
import { Engine } from "./engine.js";
import { openedStorage } from "./methods.js";
import { rebuildIndexes } from "./rebuild-index.js";
import { loadState } from "./state.js";
import type { SegmentStore } from "./store.js";

export type { Commit, LogBatch, OpenedStore, SegmentName, SegmentStore, StoredEntry } from "./store.js";

/** Options of a storage over a byte store. */
export interface SegmentStorageOptions {
  /** Creates a store that is not open. Called for each opening. */
  readonly openStore: (logger: Logger) => SegmentStore | Promise<SegmentStore>;
  readonly traits: StorageTraits;
  /** @default opened only by this storage */
  readonly shared?: Sharing | undefined;
  /** Maximum memory for decoded segments, within the server's memory. 0 disables the cache. @default 32 MiB */
  readonly cacheBytes?: number | undefined;
  /** Receives failures and damage. @default the server's logger */
  readonly logger?: Logger | undefined;
}

export const DEFAULT_CACHE_BYTES: number = 32 * 1024 * 1024;

/** Creates a storage over a byte store. It opens at `ready()` or the first call. */
export function createSegmentStorage(options: SegmentStorageOptions): DestroyableStorage {
  const { openStore, traits, cacheBytes = DEFAULT_CACHE_BYTES, shared } = options;

  async function open({ logger: given }: ServerParts): Promise<Storage> {
    const logger = options.logger ?? given ?? silentLogger;
    const store = await openStore(logger);
    const found = await store.open();
    try {
      const state = await loadState(found, store.name);
      const engine = new Engine({ store, state, cacheBytes, logger });
      await rebuildIndexes(engine);
      engine.start();
      return openedStorage(engine, traits);
    } catch (cause) {
      await store.close().catch(() => undefined);
      if (ActivityError.is(cause)) throw cause;
      const reason = messageOf(cause);
      throw new ActivityError("STORAGE_CORRUPT", `${store.name} cannot be read: ${reason}`, { cause });
    }
  }

  async function erase(given: Logger | undefined): Promise<void> {
    const store = await openStore(options.logger ?? given ?? silentLogger);
    if (store.destroy === undefined) throw new ActivityError("STORAGE_UNSUPPORTED", `${store.name} cannot be deleted`);
    await store.destroy();
  }

  return lazyStorage(open, { traits, shared, erase });
}
