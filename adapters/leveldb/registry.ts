import fs from "node:fs";
import path from "node:path";
import { ForwardingStorage } from "../../src/storage/forwarding.js";
import type { Storage, StorageTraits } from "../../src/storage/storage.js";
import { locked } from "./folder.js";

/** A storage that is open once for all who asked for it. */
interface Shared {
  readonly storage: Storage;
  readonly options: string;
  users: number;
  /** Whether the last attempt to open it has failed, and none is under way: then nobody has the folder open. */
  hasFailed: boolean;
  /** Whether somebody with other options has taken its place since it had failed. */
  isReplaced: boolean;
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
  /**
   * Makes the storage for the first one.
   *
   * @param after to be awaited before it opens
   * @param onAttempt called with `false` when an attempt to open begins, `true` when it has failed
   */
  readonly make: (after: Promise<void> | undefined, onAttempt: (hasFailed: boolean) => void) => Storage;
}

/** One user's view of a folder that is open once for all users in this process; the last `close()` closes it. */
class SharedStorage extends ForwardingStorage {
  readonly traits: StorageTraits;
  readonly #options: SharedOptions;
  #shared: Shared | undefined;
  #key = "";

  constructor(options: SharedOptions) {
    super();
    this.#options = options;
    this.traits = options.traits;
  }

  /** @throws ActivityError `STORAGE_LOCKED` for other options than those of the opening there is */
  protected target(): Storage {
    if (this.#shared?.isReplaced) this.#shared = undefined;
    this.#shared ??= this.#take();
    return this.#shared.storage;
  }

  #take(): Shared {
    const { folder, options, make } = this.#options;
    this.#key = realPath(folder);
    const known = openings.get(this.#key);
    if (known !== undefined && known.closing === undefined) {
      if (known.options === options) {
        known.users++;
        return known;
      }
      if (!known.hasFailed) throw locked(`folder ${path.resolve(folder)}`, "options");
      known.isReplaced = true;
      known.closing = known.storage.close();
    }
    const onAttempt = (hasFailed: boolean): void => {
      shared.hasFailed = hasFailed;
    };
    const shared: Shared = {
      storage: make(known?.closing, onAttempt),
      ...{ options, users: 1, hasFailed: false, isReplaced: false, closing: undefined },
    };
    if (this.logger !== undefined) shared.storage.useLogger?.(this.logger);
    openings.set(this.#key, shared);
    return shared;
  }

  protected known(): Storage | undefined {
    return this.#shared?.storage;
  }

  protected async letGo(): Promise<void> {
    const shared = this.#shared;
    if (shared === undefined || shared.isReplaced || --shared.users > 0) return;
    shared.closing = shared.storage.close();
    try {
      await shared.closing;
    } finally {
      if (openings.get(this.#key) === shared) openings.delete(this.#key);
    }
  }
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
