import { storageClosed } from "../errors.js";
import type { Logger } from "../logger.js";
import type { ChangePage } from "./changes.js";
import { destroyStorage } from "./destroy.js";
import { isStorage, Opening, type OpenStorage, type ServerParts, type Sharing, takeShared } from "./opening.js";
import type { DestroyableStorage, SettingsStore, Storage, StorageTraits } from "./storage.js";
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

/** The traits of a storage before they are known. */
const UNKNOWN: StorageTraits = {
  adapter: "unopened",
  durability: "nothing",
  snapshotReads: false,
  multiProcess: false,
};
const NOTHING: ServerParts = {};

/**
 * A storage that is opened by the first call. Calls keep their order. A failed opening is tried again by the next call.
 * The last `close()` closes a shared storage. Its methods work on the storage and its copies, and not detached.
 */
export function lazyStorage(open: OpenStorage, options: LazyStorageOptions = {}): DestroyableStorage {
  const lazy = new Lazy(open, options);
  const { traits } = options;
  const storage: LazyStorage = { lazy, settings: settingsOf(lazy), traits: traits ?? UNKNOWN, ...METHODS };
  if (traits === undefined) {
    Object.defineProperty(storage, "traits", { get: () => lazy.storage?.traits ?? UNKNOWN, enumerable: true });
    storage.changes = (after) => {
      const feed = new DeferredFeed(() => lazy.pass(async (opened) => opened.changes?.(after)[Symbol.asyncIterator]()));
      return { [Symbol.asyncIterator]: () => feed };
    };
  }
  return storage;
}

/** A storage whose methods use its member `lazy`, so that copies of it work as well. */
type LazyStorage = DestroyableStorage & { readonly lazy: Lazy };

/** The opening of a lazy storage, and what has become of it. */
class Lazy {
  readonly #options: LazyStorageOptions;
  readonly #open: OpenStorage;
  #opening: Opening | undefined;
  #given = NOTHING;
  #closed: Promise<void> | undefined;
  #destroyed: { readonly done: Promise<void>; hasFailed: boolean } | undefined;

  constructor(open: OpenStorage, options: LazyStorageOptions) {
    this.#open = open;
    this.#options = options;
    // A promise may resolve to an open storage, which is then closed even if nothing was asked of it.
    if (typeof open !== "function") {
      this.#opening = this.#takeOpening();
      this.#opening.opened().catch(() => undefined);
    }
  }

  /** Set while the storage is open. */
  get storage(): Storage | undefined {
    return this.#opening?.storage;
  }

  /** Does not wait for an open storage: that would delay every heartbeat by a turn. */
  pass<T>(call: (storage: Storage) => Promise<T>): Promise<T> {
    try {
      const storage = this.#target();
      return storage instanceof Promise ? storage.then(call) : call(storage);
    } catch (thrown) {
      return Promise.reject(thrown);
    }
  }

  /** Looks something up, in the same turn if the storage is open. A closed one knows nothing. */
  lookUp<T>(find: (storage: Storage) => T | Promise<T>, unknown: T): T | Promise<T> {
    if (this.#closed !== undefined || this.#destroyed !== undefined) return unknown;
    const storage = this.#target();
    return storage instanceof Promise ? storage.then(find) : find(storage);
  }

  give(parts: ServerParts): void {
    this.#given = { logger: parts.logger ?? this.#given.logger, memory: parts.memory ?? this.#given.memory };
    if (parts.logger !== undefined) this.#opening?.useLogger(parts.logger);
    if (parts.memory !== undefined) this.#opening?.useMemory(parts.memory);
  }

  close(): Promise<void> {
    this.#closed ??= this.#opening?.leave() ?? Promise.resolve();
    return this.#closed;
  }

  destroy(): Promise<void> {
    if (this.#closed !== undefined && this.#destroyed === undefined) return Promise.reject(storageClosed());
    if (this.#destroyed === undefined || this.#destroyed.hasFailed) {
      const attempt = { done: this.#destroyOnce(), hasFailed: false };
      attempt.done.catch(() => {
        attempt.hasFailed = true;
      });
      this.#destroyed = attempt;
    }
    return this.#destroyed.done;
  }

  async #destroyOnce(): Promise<void> {
    const { erase } = this.#options;
    this.#opening ??= this.#takeOpening();
    if (erase === undefined) await destroyStorage(await this.#opening.opened());
    else await this.#opening.destroy(() => erase(this.#given.logger));
  }

  /** @throws ActivityError `STORAGE_CLOSED`; the error that prevents sharing */
  #target(): Storage | Promise<Storage> {
    if (this.#closed !== undefined || this.#destroyed !== undefined) throw storageClosed();
    if (this.#opening === undefined || this.#opening.isReplaced) this.#opening = this.#takeOpening();
    return this.#opening.storage ?? this.#opening.opened();
  }

  #takeOpening(): Opening {
    const { shared, graceMillis } = this.#options;
    const make = (after?: Promise<void>) => new Opening(this.#open, graceMillis, this.#given, after);
    return shared === undefined ? make() : takeShared(shared, make);
  }
}

/** Functions of their own, so that copies work as well. */
function settingsOf(lazy: Lazy): SettingsStore {
  return {
    get: (key) => lazy.pass((storage) => storage.settings.get(key)),
    list: () => lazy.pass((storage) => storage.settings.list()),
    put: (key, value) => lazy.pass((storage) => storage.settings.put(key, value)),
    delete: (key) => lazy.pass((storage) => storage.settings.delete(key)),
  };
}

type Method = Exclude<keyof Storage, "traits" | "settings">;

/** Passes the calls of a method on unchanged. */
function forward<Name extends Method>(name: Name): NonNullable<Storage[Name]> {
  function call(this: LazyStorage, ...given: never[]): Promise<unknown> {
    return this.lazy.pass((storage) => (storage[name] as (...given: never[]) => Promise<unknown>)(...given));
  }
  return call as NonNullable<Storage[Name]>;
}

/** The methods that all lazy storages share: a process can have thousands. */
const METHODS: Omit<DestroyableStorage, "traits" | "settings" | "changes"> & ThisType<LazyStorage> = {
  records(kind) {
    const { lazy } = this;
    return {
      get: (key) => lazy.pass((storage) => storage.records(kind).get(key)),
      list: () => lazy.pass((storage) => storage.records(kind).list()),
      compareAndSet: (...change) => lazy.pass((storage) => storage.records(kind).compareAndSet(...change)),
    };
  },
  ready: forward("ready"),
  deviceId: forward("deviceId"),
  listBuckets: forward("listBuckets"),
  getBucket: forward("getBucket"),
  summaries: forward("summaries"),
  createBucket: forward("createBucket"),
  updateBucket: forward("updateBucket"),
  deleteBucket: forward("deleteBucket"),
  putEvents: forward("putEvents"),
  mergeEvents: forward("mergeEvents"),
  getEvent: forward("getEvent"),
  read: forward("read"),
  countEvents: forward("countEvents"),
  deleteEvents: forward("deleteEvents"),
  verify: forward("verify"),
  // Not by `forward`: heartbeats are more frequent than all other calls.
  heartbeat(bucketId, beat, pulsetimeMicros) {
    return this.lazy.pass((storage) => storage.heartbeat(bucketId, beat, pulsetimeMicros));
  },
  transact(bucketIds, plan) {
    return this.lazy.pass((storage) => transactOn(storage, bucketIds, plan));
  },
  usage() {
    return this.lazy.pass(async (storage) => storage.usage?.() ?? countUsage(storage));
  },
  eraseDeleted() {
    return this.lazy.pass(async (storage) => storage.eraseDeleted?.());
  },
  versions(bucketIds) {
    const unknown = bucketIds.map(() => undefined);
    return this.lazy.lookUp((storage) => storage.versions?.(bucketIds) ?? unknown, unknown);
  },
  rangeVersions(bucketId, ranges) {
    const unknown = ranges.map(() => undefined);
    return this.lazy.lookUp((storage) => storage.rangeVersions?.(bucketId, ranges) ?? unknown, unknown);
  },
  /** Opens nothing before the first pull. */
  async *backup() {
    yield* await this.lazy.pass(async (storage) => storage.backup());
  },
  health() {
    return this.lazy.storage?.health?.() ?? { state: "ok", problems: [] };
  },
  useLogger(logger) {
    this.lazy.give({ logger });
  },
  useMemory(memory) {
    this.lazy.give({ memory });
  },
  close() {
    return this.lazy.close();
  },
  destroy() {
    return this.lazy.destroy();
  },
};

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
