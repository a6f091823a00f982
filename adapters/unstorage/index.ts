import type { Logger } from "../../src/logger.js";
import { refuseUnknownOptions } from "../../src/storage/adapter-options.js";
import type { DestroyableStorage, Durability } from "../../src/storage/storage.js";
import { createKeySource, type EncryptionKey, type EncryptionOptions, keyIdOf } from "../segments/encryption.js";
import { createSegmentStorage, DEFAULT_CACHE_BYTES } from "../segments/index.js";
import { createStore } from "../segments/sealed-store.js";
import { createBlobStore, type KeyValueStorage } from "./blob-store.js";
import { OWNER } from "./names.js";
import { BlobSegmentStore } from "./store.js";

export type { EncryptionKey, EncryptionOptions } from "../segments/encryption.js";
export type { KeyValueStorage } from "./blob-store.js";

/** How to open a storage on an unstorage instance. */
export interface UnstorageOptions {
  /**
   * What `createStorage()` or `prefixStorage()` of the package unstorage returned. A read must show the last write, and
   * the list of keys all of them: a driver with a cache in front or with replicas that lag behind cannot be used.
   */
  readonly storage: KeyValueStorage;
  /**
   * The keys below this one belong to the storage, and to nobody else. Letters, digits, `-` and `_`; a colon between
   * parts. @default "activity"
   */
  readonly base?: string | undefined;
  /**
   * What a write survives that the driver has resolved. Only told to people: it changes nothing.
   * @default "nothing" for the drivers `memory` and `lru-cache`, "process-crash" for all others
   */
  readonly durability?: Durability | undefined;
  /** Memory for segments that were read, in bytes. 0 keeps none. @default 32 MiB */
  readonly cacheBytes?: number | undefined;
  /** Where to report failures, damage and recovery. @default the logger of the server that uses the storage */
  readonly logger?: Logger | undefined;
  /**
   * Encrypts everything that is kept; see docs/encryption.md. Only where Node's module `crypto` is. What is plain stays
   * plain: then it is refused.
   */
  readonly encryption?: EncryptionOptions | undefined;
  /** Whether `close()` disposes the instance, too. Otherwise it goes on to serve its owner. @default false */
  readonly dispose?: boolean | undefined;
}

const DEFAULT_BASE = "activity";
const BASE = /^[\w-]+(?::[\w-]+)*$/;
const NAMES = new Set(["storage", "base", "durability", "cacheBytes", "logger", "dispose", "encryption"]);
const IN_PROCESS = new Set(["memory", "lru-cache"]);

/**
 * A storage on an instance of unstorage, opened by `ready()` or by the first call. The format is described in
 * docs/storage-unstorage.md.
 *
 * One writer at a time: an opening takes over from the writer before it, if one still runs, and that one is refused
 * from its next write on with `STORAGE_LOCKED`.
 *
 * The opening fails with `STORAGE_CORRUPT`, `STORAGE_TOO_NEW`, `STORAGE_TOO_OLD`, with `STORAGE_UNUSABLE` for keys of
 * somebody else, a wrong encryption key or a driver that keeps nothing (then nothing was changed but that this driver
 * was tried), with `STORAGE_LOCKED` when two open it at the same moment, with `STORAGE_FAILED` when the driver fails.
 *
 * @throws TypeError for options that cannot work
 */
export function unstorage(options: UnstorageOptions): DestroyableStorage {
  checkStorage(options);
  const { storage, base = DEFAULT_BASE, cacheBytes = DEFAULT_CACHE_BYTES, dispose = false } = options;
  const { durability = durabilityOf(storage, base) } = options;
  checkOptions(base, cacheBytes, durability);
  const { encryption } = options;
  const keys = encryption === undefined ? undefined : createKeySource(encryption);
  const made = createSegmentStorage({
    openStore: (given) =>
      createStore(keys, (gate) => new BlobSegmentStore(createBlobStore(storage, base), given, gate)),
    traits: { adapter: "unstorage", durability, snapshotReads: true, multiProcess: false },
    cacheBytes,
    logger: options.logger,
  });
  if (!dispose) return made;
  let closing: Promise<void> | undefined;
  return {
    ...made,
    close() {
      closing ??= made.close().finally(() => storage.dispose?.());
      return closing;
    },
    async destroy() {
      await made.destroy();
      closing ??= Promise.resolve(storage.dispose?.());
      await closing;
    },
  };
}

/**
 * Names a key without telling anything of it: 16 hexadecimal digits, which stand beside what the key opens.
 *
 * @throws TypeError for what is no key
 */
export function encryptionKeyId(key: EncryptionKey): string {
  return keyIdOf(key);
}

function checkStorage(options: UnstorageOptions): void {
  const storage: Partial<KeyValueStorage> | null | undefined = options?.storage;
  for (const method of ["getItem", "setItem", "removeItem", "getKeys"] as const) {
    if (typeof storage?.[method] === "function") continue;
    throw new TypeError("unstorage needs storage: pass what createStorage() of the package unstorage returns");
  }
  refuseUnknownOptions("unstorage", options, NAMES);
  const { dispose } = options;
  if (dispose !== undefined && typeof dispose !== "boolean") {
    throw new TypeError(`dispose is ${String(dispose)}; true or false is expected`);
  }
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
