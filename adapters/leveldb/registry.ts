import fs from "node:fs";
import path from "node:path";
import { storageClosed } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import type { Storage, StorageTraits } from "../../src/storage/storage.js";
import { locked } from "./folder-store.js";

/** A storage that is open once for all who asked for it. */
interface Shared {
  readonly storage: Storage;
  readonly options: string;
  users: number;
  /** Set from the last `close()` on. */
  closing: Promise<void> | undefined;
}

/**
 * Openings of this process, by real path. LevelDB would refuse a second one, too, but by trying it gives the first
 * one's lock away. Kept on the global object, since frameworks load modules twice.
 */
const KEY = Symbol.for("activity-server.leveldb.openings");
const registry = globalThis as { [KEY]?: Map<string, Shared> };
registry[KEY] ??= new Map();
const openings: Map<string, Shared> = registry[KEY];

/** What a shared storage is made of. */
interface SharedOptions {
  readonly folder: string;
  readonly traits: StorageTraits;
  /** What must be equal for all who open the folder. */
  readonly options: string;
  /** Makes the storage for the first one. @param after to be awaited before it opens */
  readonly make: (after: Promise<void> | undefined) => Storage;
}

/** One user's view of a folder that is open once for all users in this process; the last `close()` closes it. */
class SharedStorage implements Storage {
  readonly traits: StorageTraits;
  readonly settings: Storage["settings"];
  readonly #options: SharedOptions;
  #shared: Shared | undefined;
  #key = "";
  #logger: Logger | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: SharedOptions) {
    this.#options = options;
    this.traits = options.traits;
    this.settings = {
      get: async (key) => this.#storage.settings.get(key),
      list: async () => this.#storage.settings.list(),
      put: async (key, value) => this.#storage.settings.put(key, value),
      delete: async (key) => this.#storage.settings.delete(key),
    };
  }

  /** @throws ActivityError `STORAGE_CLOSED`, `STORAGE_LOCKED` for other options than those of the opening there is */
  get #storage(): Storage {
    if (this.#closed !== undefined) throw storageClosed();
    this.#shared ??= this.#take();
    return this.#shared.storage;
  }

  #take(): Shared {
    const { folder, options, make } = this.#options;
    this.#key = realPath(folder);
    const known = openings.get(this.#key);
    if (known !== undefined && known.closing === undefined) {
      if (known.options !== options) {
        throw locked(`folder ${path.resolve(folder)}`, "this process with other options");
      }
      known.users++;
      return known;
    }
    const shared: Shared = { storage: make(known?.closing), options, users: 1, closing: undefined };
    if (this.#logger !== undefined) shared.storage.useLogger?.(this.#logger);
    openings.set(this.#key, shared);
    return shared;
  }

  ready = async (): Promise<void> => this.#storage.ready();
  deviceId = async (): Promise<string> => this.#storage.deviceId();
  listBuckets: Storage["listBuckets"] = async () => this.#storage.listBuckets();
  getBucket: Storage["getBucket"] = async (bucketId) => this.#storage.getBucket(bucketId);
  summaries: Storage["summaries"] = async (bucketIds) => this.#storage.summaries(bucketIds);
  createBucket: Storage["createBucket"] = async (bucket, drafts) => this.#storage.createBucket(bucket, drafts);
  updateBucket: Storage["updateBucket"] = async (bucketId, patch) => this.#storage.updateBucket(bucketId, patch);
  deleteBucket: Storage["deleteBucket"] = async (bucketId) => this.#storage.deleteBucket(bucketId);
  putEvents: Storage["putEvents"] = async (bucketId, drafts) => this.#storage.putEvents(bucketId, drafts);
  mergeEvents: Storage["mergeEvents"] = async (bucketId, drafts) => this.#storage.mergeEvents(bucketId, drafts);
  heartbeat: Storage["heartbeat"] = async (bucketId, beat, pulsetimeMicros) =>
    this.#storage.heartbeat(bucketId, beat, pulsetimeMicros);
  getEvent: Storage["getEvent"] = async (bucketId, eventId) => this.#storage.getEvent(bucketId, eventId);
  read: Storage["read"] = async (bucketId, range) => this.#storage.read(bucketId, range);
  countEvents: Storage["countEvents"] = async (bucketId, range) => this.#storage.countEvents(bucketId, range);
  deleteEvents: Storage["deleteEvents"] = async (bucketId, eventIds) => this.#storage.deleteEvents(bucketId, eventIds);
  verify: Storage["verify"] = async (onProgress) => this.#storage.verify(onProgress);

  records: Storage["records"] = (kind) => ({
    get: async (key) => this.#storage.records(kind).get(key),
    list: async () => this.#storage.records(kind).list(),
    compareAndSet: async (key, expected, value) => this.#storage.records(kind).compareAndSet(key, expected, value),
  });

  versions: NonNullable<Storage["versions"]> = (bucketIds) => {
    if (this.#closed !== undefined) return bucketIds.map(() => undefined);
    return this.#storage.versions?.(bucketIds) ?? bucketIds.map(() => undefined);
  };

  backup: Storage["backup"] = () => backupOf(() => this.#storage);

  health: NonNullable<Storage["health"]> = () => this.#shared?.storage.health?.() ?? { state: "ok", problems: [] };

  useLogger = (logger: Logger): void => {
    this.#logger = logger;
    this.#shared?.storage.useLogger?.(logger);
  };

  close = (): Promise<void> => {
    this.#closed ??= this.#letGo();
    return this.#closed;
  };

  async #letGo(): Promise<void> {
    const shared = this.#shared;
    if (shared === undefined || --shared.users > 0) return;
    shared.closing = shared.storage.close();
    try {
      await shared.closing;
    } finally {
      if (openings.get(this.#key) === shared) openings.delete(this.#key);
    }
  }
}

/** Nothing is opened before the first pull. */
async function* backupOf(storage: () => Storage): ReturnType<Storage["backup"]> & AsyncGenerator {
  yield* storage().backup();
}

/** A storage over a folder that is open once in this process. */
export function sharedStorage(options: SharedOptions): Storage {
  return new SharedStorage(options);
}

/** Two paths to one folder must be one key, whether the folder is there already or not. */
function realPath(folder: string): string {
  const missing: string[] = [];
  let level = path.resolve(folder);
  for (;;) {
    try {
      return path.join(fs.realpathSync.native(level), ...missing);
    } catch {
      if (path.dirname(level) === level) return path.resolve(folder);
      missing.unshift(path.basename(level));
      level = path.dirname(level);
    }
  }
}
