import { ActivityError } from "../../src/errors.js";
import type { Durability, Storage } from "../../src/storage.js";
import { type LevelDatabase, textDatabase } from "./database.js";
import { FORMAT, FORMAT_KEY, put } from "./layout.js";
import type { OpenFolder } from "./open-folder.js";
import { loadState } from "./state.js";
import { createStore } from "./store.js";

export type { LevelDatabase, Snapshot } from "./database.js";

/** What both ways to open have in common. */
export interface LevelCommonOptions {
  /**
   * What an acknowledged write survives: `process-crash` means that the operating system has it, `power-loss` that it
   * was forced to the disk; writes that arrive meanwhile share one such force.
   * @default "process-crash"
   */
  readonly durability?: Exclude<Durability, "nothing">;
  /** Memory for decoded segments, in bytes. 0 keeps none. @default 32 MiB */
  readonly cacheBytes?: number;
}

/** A folder of its own, opened with classic-level. */
export interface LevelFolderOptions extends LevelCommonOptions {
  /** The folder; made, readable by its owner only, when it is missing. */
  readonly path: string;
}

/** A database of the host. */
export interface LevelDatabaseOptions extends LevelCommonOptions {
  /**
   * An abstract-level database with explicit snapshots (`level`, `classic-level`, `memory-level`) or a sublevel of one;
   * nothing but this storage may write into it. Stays open when the storage is closed.
   */
  readonly db: LevelDatabase;
}

const DEFAULT_DURABILITY = "process-crash";
const DEFAULT_CACHE_BYTES = 32 * 1024 * 1024;

/**
 * Opens a storage on LevelDB. The format is described in docs/storage.md.
 *
 * @throws ActivityError `STORAGE_LOCKED` for a folder that is open elsewhere, `STORAGE_CORRUPT` for a damaged one,
 *   `STORAGE_TOO_NEW` for one of a later format, `STORAGE_UNUSABLE` for one that cannot be made, read or written or
 *   that holds other data. The message names the folder and a way out. A lock, a later format, a missing or garbled
 *   CURRENT or MANIFEST are seen before the engine touches a file; damage within records is seen by reading them, and
 *   then no record is changed, though the engine may have tidied up its files.
 */
export async function leveldb(options: LevelFolderOptions | LevelDatabaseOptions): Promise<Storage> {
  checkOptions(options);
  if ("path" in options) {
    // Loaded only here: a host that brings its database needs neither the engine nor a file system.
    const { openFolder } = await import("./open-folder.js");
    const folder = await openFolder(options.path, options.durability ?? DEFAULT_DURABILITY);
    return openStore(folder, options);
  }
  const { db } = options;
  if (db.supports.explicitSnapshots !== true) {
    throw new ActivityError("STORAGE_UNUSABLE", "the given database has no explicit snapshots; reads need them");
  }
  await db.open();
  const database = textDatabase(db, options.durability ?? DEFAULT_DURABILITY);
  const name = "the given database";
  return openStore({ database, name, claim: nothing, release: nothing, journal: "unseen" }, options);
}

function checkOptions({ durability, cacheBytes }: LevelCommonOptions): void {
  if (durability !== undefined && durability !== "process-crash" && durability !== "power-loss") {
    throw new TypeError(`durability is ${durability}; "process-crash" or "power-loss" is expected`);
  }
  if (cacheBytes !== undefined && !(cacheBytes >= 0)) {
    throw new TypeError(`cacheBytes is ${cacheBytes}; a number of bytes is expected`);
  }
}

async function nothing(): Promise<void> {}

async function openStore(
  { database, name, claim, release, journal }: OpenFolder & { readonly journal?: "unseen" },
  { durability = DEFAULT_DURABILITY, cacheBytes = DEFAULT_CACHE_BYTES }: LevelCommonOptions,
): Promise<Storage> {
  try {
    const state = await loadState(database, name);
    if (state.hasJournal && journal === "unseen") {
      const way = "open it once with leveldb({ path }) and close it";
      throw new ActivityError("STORAGE_UNUSABLE", `${name} lacks what is in the journal of its folder; ${way}`);
    }
    if (state.isNew) await database.batch([put(FORMAT_KEY, { format: FORMAT })]);
    await claim();
    return createStore({ database, state, durability, name, cacheBytes, release });
  } catch (cause) {
    await release();
    if (ActivityError.is(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ActivityError("STORAGE_CORRUPT", `${name} cannot be read: ${reason}`, { cause });
  }
}
