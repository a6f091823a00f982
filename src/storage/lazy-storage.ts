import { storageClosed } from "../errors.js";
import type { Logger } from "../logger.js";
import type { ChangePage } from "./changes.js";
import { destroyStorage } from "./destroy.js";
import { isStorage, Opening, type OpenStorage, type ServerParts, type Sharing, takeShared } from "./opening.js";
import type { DestroyableStorage, Storage, StorageTraits } from "./storage.js";
import { transactOn } from "./transaction.js";
import { countUsage } from "./usage.js";
import { joinStorage } from "./users.js";

/** A storage, a promise of one, or a function that returns either. */
export type StorageSource = Storage | PromiseLike<Storage> | (() => Storage | PromiseLike<Storage>);

/** Known properties of a storage before it is open. */
export interface LazyStorageOptions {
  /** @default the traits of the open storage; only then the storage offers `changes` */
  readonly traits?: StorageTraits;
  /** @default opened by this storage only */
  readonly shared?: Sharing | undefined;
  /** Deletes the data of a closed storage. @default done by the open storage */
  readonly erase?: (logger: Logger | undefined) => Promise<void>;
  /** How long `close()` waits for an opening in progress, in milliseconds. @default until it has ended */
  readonly graceMillis?: number;
}

/** Methods whose calls are passed on unchanged. */
const METHODS = [
  ...(["ready", "deviceId", "listBuckets", "getBucket", "summaries", "createBucket", "updateBucket"] as const),
  ...(["deleteBucket", "putEvents", "mergeEvents", "getEvent", "read", "countEvents"] as const),
  ...(["deleteEvents", "verify"] as const),
];
const SETTINGS_METHODS = ["get", "list", "put", "delete"] as const;
const RECORDS_METHODS = ["get", "list", "compareAndSet"] as const;

/** The traits of a storage before they are known. */
const UNKNOWN: StorageTraits = {
  adapter: "unopened",
  durability: "nothing",
  snapshotReads: false,
  multiProcess: false,
};

/**
 * A storage that is opened by the first call. Calls keep their order. A failed opening is tried again by the next call.
 * The last `close()` closes a shared storage.
 */
export function lazyStorage(open: OpenStorage, options: LazyStorageOptions = {}): DestroyableStorage {
  const { traits, shared, erase, graceMillis } = options;
  let opening: Opening | undefined;
  let given: ServerParts = {};
  let closed: Promise<void> | undefined;
  let destroyed: { readonly done: Promise<void>; hasFailed: boolean } | undefined;

  /** @throws ActivityError `STORAGE_CLOSED`; the error that prevents sharing */
  function target(): Storage | Promise<Storage> {
    if (closed !== undefined || destroyed !== undefined) throw storageClosed();
    if (opening === undefined || opening.isReplaced) opening = takeOpening();
    return opening.storage ?? opening.opened();
  }

  function takeOpening(): Opening {
    const make = (after?: Promise<void>) => new Opening(open, graceMillis, given, after);
    return shared === undefined ? make() : takeShared(shared, make);
  }

  /** Does not wait for an open storage: that would delay every heartbeat by a turn. */
  function pass<T>(call: (storage: Storage) => Promise<T>): Promise<T> {
    try {
      const storage = target();
      return storage instanceof Promise ? storage.then(call) : call(storage);
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  }

  function passing<Target, Name extends keyof Target & string>(
    targetOf: (storage: Storage) => Target,
    names: readonly Name[],
  ): Pick<Target, Name> {
    type Methods = Record<Name, (...given: readonly unknown[]) => Promise<unknown>>;
    const methods = names.map((name) => {
      const method = (...given: unknown[]) => pass((storage) => (targetOf(storage) as Methods)[name](...given));
      return [name, method] as const;
    });
    return Object.fromEntries(methods) as Pick<Target, Name>;
  }

  function destroying(): NonNullable<typeof destroyed> {
    const attempt = { done: destroy(), hasFailed: false };
    attempt.done.catch(() => {
      attempt.hasFailed = true;
    });
    return attempt;
  }

  async function destroy(): Promise<void> {
    opening ??= takeOpening();
    if (erase === undefined) await destroyStorage(await opening.opened());
    else await opening.destroy(() => erase(given.logger));
  }

  async function* backup(): ReturnType<Storage["backup"]> & AsyncGenerator {
    yield* await pass(async (storage) => storage.backup());
  }

  // A promise may resolve to an open storage, which is then closed even if nothing was asked of it.
  if (typeof open !== "function") {
    opening = takeOpening();
    opening.opened().catch(() => undefined);
  }
  return {
    get traits() {
      return traits ?? opening?.storage?.traits ?? UNKNOWN;
    },
    settings: passing((storage) => storage.settings, SETTINGS_METHODS),
    records: (kind) => passing((storage) => storage.records(kind), RECORDS_METHODS),
    ...passing((storage) => storage, METHODS),
    // Not from the table: heartbeats are more frequent than all other calls.
    heartbeat: (bucketId, beat, pulsetimeMicros) =>
      pass((storage) => storage.heartbeat(bucketId, beat, pulsetimeMicros)),
    transact: (bucketIds, plan) => pass((storage) => transactOn(storage, bucketIds, plan)),
    usage: () => pass(async (storage) => storage.usage?.() ?? countUsage(storage)),
    eraseDeleted: () => pass(async (storage) => storage.eraseDeleted?.()),
    versions(bucketIds) {
      const unknown = bucketIds.map(() => undefined);
      if (closed !== undefined || destroyed !== undefined) return unknown;
      const versionsOf = (storage: Storage) => storage.versions?.(bucketIds) ?? unknown;
      const storage = target();
      return storage instanceof Promise ? storage.then(versionsOf) : versionsOf(storage);
    },
    rangeVersions(bucketId, ranges) {
      const unknown = ranges.map(() => undefined);
      if (closed !== undefined || destroyed !== undefined) return unknown;
      const versionsOf = (storage: Storage) => storage.rangeVersions?.(bucketId, ranges) ?? unknown;
      const storage = target();
      return storage instanceof Promise ? storage.then(versionsOf) : versionsOf(storage);
    },
    ...(traits === undefined && {
      changes(after) {
        const feed = new DeferredFeed(() => pass(async (storage) => storage.changes?.(after)[Symbol.asyncIterator]()));
        return { [Symbol.asyncIterator]: () => feed };
      },
    }),
    /** Opens nothing before the first pull. */
    backup: () => backup(),
    health: () => opening?.storage?.health?.() ?? { state: "ok", problems: [] },
    useLogger(logger) {
      given = { ...given, logger };
      opening?.useLogger(logger);
    },
    useMemory(memory) {
      given = { ...given, memory };
      opening?.useMemory(memory);
    },
    close() {
      closed ??= opening?.leave() ?? Promise.resolve();
      return closed;
    },
    destroy() {
      if (closed !== undefined && destroyed === undefined) return Promise.reject(storageClosed());
      if (destroyed === undefined || destroyed.hasFailed) destroyed = destroying();
      return destroyed.done;
    },
  };
}

const END: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** A feed of a storage that may not be open yet; ends at once if the storage has none. You can end it at any time. */
class DeferredFeed implements AsyncIterator<ChangePage> {
  readonly #make: () => Promise<AsyncIterator<ChangePage> | undefined>;
  #feed: Promise<AsyncIterator<ChangePage> | undefined> | undefined;
  #isOver = false;

  constructor(make: () => Promise<AsyncIterator<ChangePage> | undefined>) {
    this.#make = make;
  }

  async next(): Promise<IteratorResult<ChangePage, undefined>> {
    if (this.#isOver) return END;
    this.#feed ??= this.#make();
    const feed = await this.#feed;
    if (this.#isOver || feed === undefined) return END;
    return feed.next();
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#isOver = true;
    // A pull reports why there is no feed.
    const feed = await this.#feed?.catch(() => undefined);
    await feed?.return?.();
    return END;
  }
}

/** Returns a storage for one more user, or one that is opened by the first call. */
export function toStorage(source: StorageSource): Storage {
  const open = typeof source === "function" ? () => source() : source;
  const storage = isStorage(open) ? open : lazyStorage(open, { graceMillis: GRACE_MILLIS });
  joinStorage(storage);
  return storage;
}

/** How long closing waits for a storage that your app is still opening: it may never come. */
const GRACE_MILLIS = 5000;

/** Whether a value is a storage, or may return one. */
export function isStorageSource(value: unknown): value is StorageSource {
  if (typeof value === "function" || isStorage(value)) return true;
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
