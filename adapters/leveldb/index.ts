// LevelDB as a home of the segment engine: in a folder of its own, or in any abstract-level database.

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
import { loadEngine } from "./engine.js";
import { locked, realPath } from "./folder.js";
import { FolderStore } from "./folder-store.js";
import type { SalvageOptions } from "./maintenance/salvage.js";
import type { SalvageReport } from "./maintenance/salvage-write.js";
import { DEFAULT_MIN_FREE_BYTES } from "./space.js";

export type { EncryptionKey, EncryptionOptions } from "../segments/encryption.js";
export type { LevelDatabase } from "./database.js";
export type { SalvageOptions } from "./maintenance/salvage.js";
export type { SalvagedBucket, SalvageProgress, SalvageReport } from "./maintenance/salvage-write.js";

/** What both ways to open have in common. */
export interface LevelCommonOptions {
  /**
   * What an acknowledged write survives: `process-crash` means that the operating system has it, `power-loss` that it
   * was forced to the disk; writes that arrive meanwhile share one such force.
   * @default "process-crash"
   */
  readonly durability?: Exclude<Durability, "nothing"> | undefined;
  /** Memory for decoded segments, in bytes. 0 keeps none. @default 32 MiB */
  readonly cacheBytes?: number | undefined;
  /** Where to report failures, damage and recovery. @default the logger of the server that uses the storage */
  readonly logger?: Logger | undefined;
  /** Encrypts everything that is kept; see docs/encryption.md. What is plain stays plain: then it is refused. */
  readonly encryption?: EncryptionOptions | undefined;
}

/** A folder of its own, opened with classic-level. */
export interface LevelFolderOptions extends LevelCommonOptions {
  /** The folder; made, readable by its owner only, when it is missing. */
  readonly path: string;
  /**
   * With `process-crash`: after how many milliseconds what was acknowledged is forced to the disk, too. A power cut
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

/** A database of the embedder. */
export interface LevelDatabaseOptions extends LevelCommonOptions {
  /**
   * An abstract-level database (`level`, `classic-level`, `memory-level`) or a sublevel of one; nothing but this
   * storage may write into it. Stays open when the storage is closed.
   */
  readonly db: LevelDatabase;
  readonly path?: undefined;
  readonly flushMillis?: undefined;
  readonly minFreeBytes?: undefined;
}

const DEFAULT_DURABILITY = "process-crash";
const DEFAULT_FLUSH_MILLIS = 5_000;
const WAYS = "pass path, a folder of its own, or db, an abstract-level database of yours";
const COMMON_NAMES = ["durability", "cacheBytes", "logger", "encryption"];
const NAMES = new Set(["path", "db", "flushMillis", "minFreeBytes", ...COMMON_NAMES]);

/**
 * A storage on LevelDB, not open yet: `ready()` or the first call opens it. The format is described in docs/storage.md.
 * A folder is open once in a process, however often it is asked for; the last `close()` closes it.
 *
 * Opening throws ActivityError `STORAGE_LOCKED` for a folder that is open elsewhere, `STORAGE_CORRUPT` for a damaged
 * one, `STORAGE_TOO_NEW` and `STORAGE_TOO_OLD` for one of another format, `STORAGE_UNUSABLE` for one that cannot be
 * made, read or written, that holds other data, or that another key opens, `STORAGE_FULL` without space. The message
 * names the folder and a way out.
 *
 * @throws TypeError for options that cannot work
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
    // LevelDB would refuse a second opening as well, but the attempt would release the lock of the first one.
    shared: {
      key: () => realPath(folder),
      options: JSON.stringify({ durability, cacheBytes, flushMillis, minFreeBytes, keys: keys?.identity }),
      refusal: () => locked(`folder ${path.resolve(folder)}`, "options"),
    },
    async openStore(given) {
      const engine = await loadEngine();
      const common = { folder, durability, flushMillis, minFreeBytes, logger: given, engine };
      return createStore(keys, (gate) => new FolderStore({ ...common, gate }));
    },
  });
}

/**
 * Names a key without telling anything of it: 16 hexadecimal digits, which stand beside what the key opens.
 *
 * @throws TypeError for what is no key
 */
export function encryptionKeyId(key: EncryptionKey): string {
  return keyIdOf(key);
}

/**
 * Opens a folder, converts what an earlier version stored, as its first opening does, and closes it: for deployments
 * that want to see this succeed before they start a server. Changes nothing in a folder of this version.
 *
 * @throws ActivityError as `leveldb` throws when it opens; `STORAGE_UNUSABLE` where there is no folder
 */
export async function migrate(options: LevelFolderOptions): Promise<void> {
  return (await import("./maintenance/migrate.js")).migrate(options.path, leveldb(options));
}

/** Which folder another key is to open. */
export interface RotateKeyOptions {
  readonly path: string;
  /** The key that opens it now. */
  readonly key: EncryptionKey;
  /** The one that opens it from now on. */
  readonly newKey: EncryptionKey;
}

/**
 * Wraps the data keys of an encrypted folder with another key: that one alone opens it afterwards. The data stay as
 * they are; the folder may be open meanwhile. At every moment one of the two keys opens it, whatever is cut off.
 *
 * @returns the id of the new key
 * @throws TypeError for what is no key; ActivityError `STORAGE_UNUSABLE` for a folder that is not encrypted, or with
 *   another key, `STORAGE_CORRUPT` for damaged keys
 */
export async function rotateKey(options: RotateKeyOptions): Promise<{ readonly keyId: string }> {
  return (await import("./maintenance/rotate-key.js")).rotateKey(options);
}

/**
 * Saves what can be read of a damaged folder into a new one, whatever state it is in; see docs/operations.md#repair.
 * The damaged folder is not changed.
 *
 * @throws ActivityError `STORAGE_UNUSABLE` for a folder without data of ours, or a target that is not empty;
 *   `STORAGE_TOO_OLD`, `STORAGE_TOO_NEW`, `STORAGE_FULL`
 */
export async function salvage(options: SalvageOptions): Promise<SalvageReport> {
  return (await import("./maintenance/salvage.js")).salvage(options);
}

function checkOptions(options: LevelFolderOptions | LevelDatabaseOptions): void {
  if (typeof options !== "object" || options === null) throw new TypeError(`leveldb needs options: ${WAYS}`);
  const { durability, cacheBytes, path, db, flushMillis, minFreeBytes } = options;
  refuseUnknownOptions("leveldb", options, NAMES);
  if (path === undefined && db === undefined) throw new TypeError(`leveldb was given no place to keep data: ${WAYS}`);
  if (path !== undefined && db !== undefined) throw new TypeError(`leveldb was given both path and db: ${WAYS}`);
  if (db !== undefined && (flushMillis !== undefined || minFreeBytes !== undefined)) {
    throw new TypeError("flushMillis and minFreeBytes go with path only; a database of yours has its own");
  }
  if (db !== undefined && typeof (db as Partial<LevelDatabase> | null)?.batch !== "function") {
    throw new TypeError("db is no abstract-level database; what level, classic-level or memory-level make is expected");
  }
  if (path !== undefined && (typeof path !== "string" || path === "")) {
    throw new TypeError(`path is ${JSON.stringify(path)}; the path of a folder is expected`);
  }
  checkDurability(durability);
  for (const [name, value] of Object.entries({ cacheBytes, flushMillis, minFreeBytes })) {
    if (value !== undefined && !(value >= 0)) throw new TypeError(`${name} is ${value}; a number from 0 is expected`);
  }
}
