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

/** Options of a storage on an unstorage instance. */
export interface UnstorageOptions {
  /**
   * The result of `createStorage()` or `prefixStorage()` of the package unstorage. Reads must show the last write, and
   * the list of keys all writes: do not use a driver with a cache or with replicas that are late.
   */
  readonly storage: KeyValueStorage;
  /**
   * The base of the storage's keys. No other program may use keys below it. Letters, digits, `-` and `_`; a colon
   * between parts. @default "activity"
   */
  readonly base?: string | undefined;
  /**
   * What a write survives once the driver has resolved it. Only for display: it changes nothing.
   * @default "nothing" for the drivers `memory` and `lru-cache`, "process-crash" for all others
   */
  readonly durability?: Durability | undefined;
  /** Maximum memory for decoded segments, within `memoryBudgetBytes`. 0 caches none. @default 32 MiB */
  readonly cacheBytes?: number | undefined;
  /** Where to report failures, damage and recovery. @default the logger of the server that uses the storage */
  readonly logger?: Logger | undefined;
  /**
   * Encrypts all stored data; see docs/guides/encryption.md. Requires Node's module `crypto`. An existing plain storage
   * is refused.
   */
  readonly encryption?: EncryptionOptions | undefined;
  /** Whether `close()` also disposes the instance. Otherwise it stays open. @default false */
  readonly dispose?: boolean | undefined;
}

const DEFAULT_BASE = "activity";
const BASE = /^[\w-]+(?::[\w-]+)*$/;
const NAMES = new Set(["storage", "base", "durability", "cacheBytes", "logger", "dispose", "encryption"]);
const IN_PROCESS = new Set(["memory", "lru-cache"]);

/**
 * Creates a storage on an instance of unstorage. `ready()` or the first call opens it.
 * docs/reference/format-unstorage.md describes the format.
 *
 * One writer at a time: an opening takes over from a running writer, whose next write fails with `STORAGE_LOCKED`.
 *
 * Opening fails with `STORAGE_CORRUPT`, `STORAGE_TOO_NEW` or `STORAGE_TOO_OLD`; with `STORAGE_UNUSABLE` for foreign
 * keys, a wrong encryption key or a driver that stores nothing (then nothing was changed except for a test value); with
 * `STORAGE_LOCKED` if two open it at the same moment; with `STORAGE_FAILED` if the driver fails.
 *
 * @throws TypeError for invalid options
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
 * Identifies a key without revealing it: 16 hexadecimal digits, stored next to the encrypted data.
 *
 * @throws TypeError for an invalid key
 */
export function encryptionKeyId(key: EncryptionKey): string {
  return keyIdOf(key);
}

function checkStorage(options: UnstorageOptions): void {
  const storage: Partial<KeyValueStorage> | null | undefined = options?.storage;
  for (const method of ["getItem", "setItem", "removeItem", "getKeys"] as const) {
    if (typeof storage?.[method] === "function") continue;
    throw new TypeError("storage must be an instance of the package unstorage; pass the result of createStorage()");
  }
  refuseUnknownOptions("unstorage", options, NAMES);
  const { dispose } = options;
  if (dispose !== undefined && typeof dispose !== "boolean") {
    throw new TypeError(`dispose must be true or false, got ${String(dispose)}`);
  }
}

function checkOptions(base: string, cacheBytes: number, durability: string): void {
  if (!BASE.test(base)) {
    throw new TypeError(`base must be letters, digits, - and _, separated by colons, got ${JSON.stringify(base)}`);
  }
  if (!(cacheBytes >= 0)) throw new TypeError(`cacheBytes must be a number of bytes, got ${cacheBytes}`);
  if (!["nothing", "process-crash", "power-loss"].includes(durability)) {
    throw new TypeError(`durability must be "nothing", "process-crash" or "power-loss", got ${durability}`);
  }
}

function durabilityOf(storage: KeyValueStorage, base: string): Durability {
  const driver = storage.getMount?.(`${base}:${OWNER}`).driver.name;
  return driver !== undefined && IN_PROCESS.has(driver) ? "nothing" : "process-crash";
}
