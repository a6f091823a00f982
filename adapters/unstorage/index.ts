import type { Durability, Storage } from "../../src/storage.js";
import { Keeper } from "./keeper.js";
import { OWNER } from "./names.js";
import { createStore } from "./store.js";
import { beginTerm } from "./term.js";
import { bindValues, type KeyValueStorage } from "./values.js";

export type { KeyValueStorage } from "./values.js";

/** How to open a storage on an unstorage instance. */
export interface UnstorageOptions {
  /**
   * What `createStorage()` or `prefixStorage()` of the package unstorage returned. A read must show the last write, and
   * the list of keys all of them: a driver with a cache in front or copies that lag behind cannot be used.
   */
  readonly storage: KeyValueStorage;
  /**
   * The keys below this one belong to the storage, and to nobody else. Letters, digits, `-` and `_`; a colon between
   * parts. @default "activity"
   */
  readonly base?: string;
  /**
   * What a write survives that the driver has resolved. Only told to people: it changes nothing.
   * @default "nothing" for the drivers `memory` and `lru-cache`, "process-crash" for all others
   */
  readonly durability?: Durability;
  /** Memory for chunks that were read, in bytes. 0 keeps none. @default 32 MiB */
  readonly cacheBytes?: number;
  /** Whether `close()` disposes the instance, too. Otherwise it goes on to serve its host. @default false */
  readonly dispose?: boolean;
}

const DEFAULT_BASE = "activity";
const DEFAULT_CACHE_BYTES = 32 * 1024 * 1024;
const BASE = /^[\w-]+(?::[\w-]+)*$/;
const IN_PROCESS = new Set(["memory", "lru-cache"]);

/**
 * Opens a storage on an instance of unstorage. The format is described in docs/storage.md.
 *
 * One writer at a time: an opening takes over from the writer before it, if there is one that still runs, and that one
 * is refused from its next call on with `STORAGE_LOCKED`.
 *
 * @throws ActivityError `STORAGE_CORRUPT`, `STORAGE_TOO_NEW`, `STORAGE_UNUSABLE` for keys of somebody else or a driver
 *   that keeps nothing; then nothing was changed but that this driver was tried. `STORAGE_LOCKED` when two open it at
 *   the same moment, `STORAGE_FAILED` when the driver fails
 */
export async function unstorage(options: UnstorageOptions): Promise<Storage> {
  const { storage, base = DEFAULT_BASE, cacheBytes = DEFAULT_CACHE_BYTES, dispose = false } = options;
  const { durability = durabilityOf(storage, base) } = options;
  checkOptions(base, cacheBytes, durability);
  const values = bindValues(storage, base);
  const keeper = new Keeper(values, await beginTerm(values), cacheBytes);
  const release = async (): Promise<void> => {
    if (dispose) await storage.dispose?.();
  };
  return createStore({ keeper, durability, release });
}

function checkOptions(base: string, cacheBytes: number, durability: string): void {
  if (!BASE.test(base)) {
    throw new TypeError(`base is ${JSON.stringify(base)}; letters, digits, - and _ with colons between are expected`);
  }
  if (!(cacheBytes >= 0)) throw new TypeError(`cacheBytes is ${cacheBytes}; a number of bytes is expected`);
  if (!["nothing", "process-crash", "power-loss"].includes(durability)) {
    throw new TypeError(`durability is ${durability}; "nothing", "process-crash" or "power-loss" is expected`);
  }
}

function durabilityOf(storage: KeyValueStorage, base: string): Durability {
  const driver = storage.getMount?.(`${base}:${OWNER}`).driver.name;
  return driver !== undefined && IN_PROCESS.has(driver) ? "nothing" : "process-crash";
}
