// LevelDB for the segment engine: in its own folder, or in any abstract-level database.

import path from "node:path";
import type { Logger } from "../../src/logger.js";
import { checkDurability, refuseUnknownOptions } from "../../src/storage/adapter-options.js";
import type { DestroyableStorage, Durability, StorageTraits } from "../../src/storage/storage.js";
import { createKeySource, type EncryptionKey, type EncryptionOptions, keyIdOf } from "../segments/encryption.js";
import { createSegmentStorage, DEFAULT_CACHE_BYTES } from "../segments/index.js";
import { createStore } from "../segments/sealed-store.js";
import type { SegmentStore } from "../segments/store.js";
import type { LevelDatabase } from "./database.js";
import { DbStore } from "./db-store.js";
import { DEFAULT_MIN_FREE_BYTES } from "./disk-watch.js";
import { loadEngine } from "./engine.js";
import { lockedError, realPath } from "./folder.js";
import { FolderStore } from "./folder-store.js";
import type { SalvageOptions } from "./maintenance/salvage.js";
import type { SalvageReport } from "./maintenance/salvage-write.js";

export type { EncryptionKey, EncryptionOptions } from "../segments/encryption.js";
export type { LevelDatabase } from "./database.js";
export type { SalvageOptions } from "./maintenance/salvage.js";
export type { SalvagedBucket, SalvageProgress, SalvageReport } from "./maintenance/salvage-write.js";

/** Options for folders and databases. */
export interface LevelCommonOptions {
  /**
   * What an acknowledged write survives. `process-crash`: the operating system has it. `power-loss`: it was forced to
   * the disk; concurrent writes share one such force.
   * @default "process-crash"
   */
  readonly durability?: Exclude<Durability, "nothing"> | undefined;
  /** Maximum memory for decoded segments, within the server's `memoryBudgetBytes`. 0 caches none. @default 32 MiB */
  readonly cacheBytes?: number | undefined;
  /** Where to report failures, damage and recovery. @default the logger of the server that uses the storage */
  readonly logger?: Logger | undefined;
  /** Encrypts all stored data; see docs/guides/encryption.md. An existing plain storage is refused. */
  readonly encryption?: EncryptionOptions | undefined;
}

/** A folder for this storage, opened with classic-level. */
export interface LevelFolderOptions extends LevelCommonOptions {
  /** The folder. Created if it is missing, readable only by its owner. */
  readonly path: string;
  /**
   * With `process-crash`: how many milliseconds later acknowledged writes are also forced to the disk. A power cut
   * loses no more than that. @default 5000
   */
  readonly flushMillis?: number | undefined;
  /**
   * Low-water mark: with less free space, in bytes, writes other than deletions are refused. Never more than 5 % of the
   * file system; 0 = none. @default 64 MiB
   */
  readonly minFreeBytes?: number | undefined;
  readonly db?: undefined;
}

/** Your own database. */
export interface LevelDatabaseOptions extends LevelCommonOptions {
  /**
   * An abstract-level database (`level`, `classic-level`, `memory-level`) or a sublevel of one. Only this storage may
   * write to it. It stays open when the storage is closed.
   */
  readonly db: LevelDatabase;
  readonly path?: undefined;
  readonly flushMillis?: undefined;
  readonly minFreeBytes?: undefined;
}

const DEFAULT_DURABILITY = "process-crash";
const DEFAULT_FLUSH_MILLIS = 5_000;
const WAYS = "pass either path (a folder for this storage) or db (your abstract-level database)";
const COMMON_NAMES = ["durability", "cacheBytes", "logger", "encryption"];
const NAMES = new Set(["path", "db", "flushMillis", "minFreeBytes", ...COMMON_NAMES]);

/**
 * Creates a storage on LevelDB. `ready()` or the first call opens it. docs/reference/format-leveldb.md describes the
 * format. A process opens a folder once, however many storages use it; the last `close()` closes it.
 *
 * Opening throws an ActivityError: `STORAGE_LOCKED` if the folder is open elsewhere, `STORAGE_CORRUPT` if it is
 * damaged, `STORAGE_TOO_NEW` or `STORAGE_TOO_OLD` if it has another format, `STORAGE_UNUSABLE` if it cannot be created,
 * read or written, contains other data, or needs another key, `STORAGE_FULL` if there is no space. The message names
 * the folder and a remedy.
 *
 * @throws TypeError for invalid options
 */
export function leveldb(options: LevelFolderOptions | LevelDatabaseOptions): DestroyableStorage {
  checkOptions(options);
  const { durability = DEFAULT_DURABILITY, cacheBytes = DEFAULT_CACHE_BYTES, logger, encryption } = options;
  const keys = encryption === undefined ? undefined : createKeySource(encryption);
  const traits: StorageTraits = { adapter: "leveldb", durability, snapshotReads: true, multiProcess: false };
  if (options.db !== undefined) {
    const { db } = options;
    const openStore = (): SegmentStore => createStore(keys, (gate) => new DbStore(db, durability, gate));
    return createSegmentStorage({ openStore, traits, cacheBytes, logger });
  }
  const { path: folder, flushMillis = DEFAULT_FLUSH_MILLIS, minFreeBytes = DEFAULT_MIN_FREE_BYTES } = options;
  return createSegmentStorage({
    ...{ traits, cacheBytes, logger },
    // LevelDB would refuse a second opening as well, but the attempt would release the first lock.
    shared: {
      key: () => realPath(folder),
      options: JSON.stringify({ durability, cacheBytes, flushMillis, minFreeBytes, keys: keys?.identity }),
      refusal: () => lockedError(`folder ${path.resolve(folder)}`, "options"),
    },
    async openStore(given) {
      const engine = await loadEngine();
      const common = { folder, durability, flushMillis, minFreeBytes, logger: given, engine };
      return createStore(keys, (gate) => new FolderStore({ gate, ...common }));
    },
  });
}

/**
 * Identifies a key without revealing it: 16 hexadecimal digits, stored next to the encrypted data.
 *
 * @throws TypeError for an invalid key
 */
export function encryptionKeyId(key: EncryptionKey): string {
  return keyIdOf(key);
}

/**
 * Opens a folder, converts the format of an earlier version like a normal opening, and closes it. Use it in deployments
 * to see a migration succeed before a server starts. Changes nothing in a folder of this version.
 *
 * @throws ActivityError like opening a `leveldb` storage; `STORAGE_UNUSABLE` if the folder does not exist
 */
export async function migrate(options: LevelFolderOptions): Promise<void> {
  return (await import("./maintenance/migrate.js")).migrate(options.path, leveldb(options));
}

/** Options of a key rotation. */
export interface RotateKeyOptions {
  readonly path: string;
  /** The current key. */
  readonly key: EncryptionKey;
  /** The key that opens the folder afterwards. */
  readonly newKey: EncryptionKey;
}

/**
 * Wraps the data keys of an encrypted folder with another key. Afterwards only that key opens it. The data stay
 * unchanged, and the folder may be open in the meantime. At every moment one of the two keys opens it, even after an
 * interruption.
 *
 * @returns the ID of the new key
 * @throws TypeError for an invalid key; ActivityError `STORAGE_UNUSABLE` for a folder that is not encrypted, or with
 *   another key, `STORAGE_CORRUPT` for damaged keys
 */
export async function rotateKey(options: RotateKeyOptions): Promise<{ readonly keyId: string }> {
  return (await import("./maintenance/rotate-key.js")).rotateKey(options);
}

/**
 * Saves everything readable of a damaged folder into a new one; see docs/guides/repair.md. The damaged folder stays
 * unchanged.
 *
 * @throws ActivityError `STORAGE_UNUSABLE` for a folder without our data, or a target that is not empty;
 *   `STORAGE_TOO_OLD`, `STORAGE_TOO_NEW`, `STORAGE_FULL`
 */
export async function salvage(options: SalvageOptions): Promise<SalvageReport> {
  return (await import("./maintenance/salvage.js")).salvage(options);
}

function checkOptions(options: LevelFolderOptions | LevelDatabaseOptions): void {
  if (typeof options !== "object" || options === null) throw new TypeError(`leveldb needs options; ${WAYS}`);
  const { durability, cacheBytes, path, db, flushMillis, minFreeBytes } = options;
  refuseUnknownOptions("leveldb", options, NAMES);
  if (path === undefined && db === undefined) throw new TypeError(`leveldb needs path or db; ${WAYS}`);
  if (path !== undefined && db !== undefined) throw new TypeError(`leveldb got both path and db; ${WAYS}`);
  if (db !== undefined && (flushMillis !== undefined || minFreeBytes !== undefined)) {
    throw new TypeError("flushMillis and minFreeBytes cannot be combined with db; pass them only with path");
  }
  if (db !== undefined && typeof (db as Partial<LevelDatabase> | null)?.batch !== "function") {
    throw new TypeError("db must be an abstract-level database; create one with level, classic-level or memory-level");
  }
  if (path !== undefined && (typeof path !== "string" || path === "")) {
    throw new TypeError(`path must be the path of a folder, got ${JSON.stringify(path)}`);
  }
  checkDurability(durability);
  for (const [name, value] of Object.entries({ cacheBytes, flushMillis, minFreeBytes })) {
    if (value !== undefined && !(value >= 0)) throw new TypeError(`${name} must be 0 or more, got ${value}`);
  }
}
