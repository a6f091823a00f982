import fs from "node:fs/promises";
import path from "node:path";
import type { Logger } from "../../src/logger.js";
import type { Commit } from "../segments/store.js";
import type { CloseState } from "./clean-mark.js";
import { type Change, changesOf, Database, type LevelDatabase } from "./database.js";
import type { DiskWatch } from "./disk-watch.js";
import { WRITE_BUFFER_BYTES } from "./engine.js";
import { isDamaged, isLocked, toStorageError } from "./engine-failure.js";
import { EngineGuard } from "./engine-guard.js";
import type { FileSystem } from "./file-system.js";
import { type CheckedFolder, makeFolders, removeDatabase } from "./folder.js";
import { logNumber } from "./level-files.js";

/** Upper bound of an empty memtable's size, in bytes. */
const MEMTABLE_BYTES = 64 * 1024;
/** Upper bound of an entry's size without its key and value: skip list node, lengths and sequence number. */
const ENTRY_BYTES = 256;
/** Up to this size, entries share blocks of four times the size, with unused ends. */
const SMALL_BYTES = 1024;
const WASTE = 4 / 3;

/** Options of a folder's database. */
export interface FolderDatabaseOptions {
  readonly folder: CheckedFolder;
  /** Name of the folder in messages. */
  readonly name: string;
  readonly diskWatch: DiskWatch;
  readonly files: FileSystem;
  readonly logger: Logger;
  /** Creates a database that is not open yet. */
  readonly engine: (location: string) => LevelDatabase;
}

/** The LevelDB database of a folder that this process has locked. */
export class FolderDatabase {
  readonly #options: FolderDatabaseOptions;
  readonly #guard: EngineGuard;
  #level: LevelDatabase | undefined;
  #database: Database | undefined;
  #reopening: Promise<void> | undefined;
  /** Identifies the lock file. While the database is open, only a replaced or removed folder changes it. */
  #identity: string | undefined;
  /** Number of the newest LevelDB log whose name is on the disk. */
  #forcedLog = -1;
  /** Upper bound of the memtable's bytes. It was empty when LevelDB started its log. */
  #memtableBytes = MEMTABLE_BYTES;
  /** Number of the log that was started with an empty memtable. */
  #memtableLog = -1;
  /** Compactions in progress. Each may start a log at any time. */
  #compacting = 0;
  /** Whether a log may exist that no commit has checked. */
  #mayHaveNewLog = true;

  constructor(options: FolderDatabaseOptions) {
    this.#options = options;
    this.#guard = new EngineGuard(options.folder.db, options.folder.aside);
  }

  /** Set while the database is closed and opened again. */
  get reopening(): Promise<void> | undefined {
    return this.#reopening;
  }

  /** The database, even while it is closed. @throws Error before it was opened */
  get content(): Database {
    if (this.#database === undefined) throw new Error(`${this.#options.name} is not open`);
    return this.#database;
  }

  async open(left: CloseState): Promise<void> {
    const { folder } = this.#options;
    try {
      await this.#begin(left);
    } catch (failure) {
      if (!folder.isNew || !isDamaged(failure)) throw failure;
      // The first start was interrupted: nothing was ever stored.
      await removeDatabase(folder.db);
      await this.#guard.removeLinks();
      await this.#begin(left);
    }
  }

  /** Writes a commit, and forces it and the name of its file to the disk. */
  async write(commit: Commit): Promise<void> {
    const changes = [...changesOf(commit)];
    const bytes = changes.reduce((sum, change) => sum + memtableBytesOf(change), 0);
    this.#memtableBytes += bytes;
    await this.content.write(changes, true);
    if (!this.#mayHaveNewLog && this.#compacting === 0 && this.#memtableBytes < WRITE_BUFFER_BYTES) return;
    this.#mayHaveNewLog = this.#compacting > 0;
    // LevelDB forces the contents of a new log, but not its name.
    const newest = await this.#newestLog();
    if (newest !== this.#memtableLog) {
      this.#memtableLog = newest;
      this.#memtableBytes = MEMTABLE_BYTES + bytes;
    }
    if (newest > this.#forcedLog) await this.forceNames();
  }

  /** Runs a compaction. */
  async compact(work: (database: Database) => Promise<void>): Promise<void> {
    this.#compacting++;
    this.#mayHaveNewLog = true;
    try {
      await work(this.content);
    } finally {
      this.#compacting--;
    }
  }

  /** Forces the names of all files to the disk. */
  async forceNames(): Promise<void> {
    const { folder, files } = this.#options;
    const newest = await this.#newestLog();
    await files.syncFolder(folder.db);
    this.#forcedLog = Math.max(this.#forcedLog, newest);
  }

  async #newestLog(): Promise<number> {
    const names = await fs.readdir(this.#options.folder.db);
    return Math.max(...names.map((name) => logNumber(name) ?? 0));
  }

  /** Whether the database is still at the path where it was opened. */
  isInPlace(): boolean {
    return this.#options.files.identity(this.#lockFile) === this.#identity;
  }

  get #lockFile(): string {
    return path.join(this.#options.folder.db, "LOCK");
  }

  reopen(): Promise<void> {
    const reopening = async () => {
      await this.#level?.close();
      await this.#begin("unclean");
    };
    this.#reopening = reopening().finally(() => {
      this.#reopening = undefined;
    });
    return this.#reopening;
  }

  /** Accepts the state: the engine dropped only data that were never acknowledged. */
  async accept(): Promise<void> {
    const { name, logger } = this.#options;
    const dropped = await this.#guard.readDropped();
    if (dropped !== undefined) logger.info(`${name}: LevelDB dropped unacknowledged data: ${dropped}`);
    await this.release();
  }

  /** Removes the links to the files from before the opening. */
  release(): Promise<void> {
    return this.#guard.removeLinks();
  }

  async close(): Promise<void> {
    await this.#reopening?.catch(() => undefined);
    await this.#level?.close();
  }

  #begin(left: CloseState): Promise<void> {
    const { folder, diskWatch } = this.#options;
    return diskWatch.retryWithReserve(async () => {
      await makeFolders(folder);
      await this.#openEngine(left);
    });
  }

  async #openEngine(left: CloseState): Promise<void> {
    const { folder, name, logger, engine } = this.#options;
    // LevelDB drops nothing from files that are complete.
    if (left !== "unchanged") {
      await this.#guard.linkFiles();
      const { switchToNewest, removeUnforcedRecord } = await import("./maintenance/manifest.js");
      const isSwitched = await switchToNewest(folder.db);
      if ((await removeUnforcedRecord(folder.db)) || isSwitched) {
        logger.info(`${name}: a power cut interrupted a change; undid it`);
      }
    }
    const level = engine(folder.db);
    try {
      await level.open();
    } catch (thrown) {
      const failure = toStorageError(thrown, name, folder.folder);
      if (isLocked(failure)) await this.#guard.removeOwnLinks();
      throw failure;
    }
    this.#identity = this.#options.files.identity(this.#lockFile);
    this.#level = level;
    this.#database = new Database(level);
    this.#mayHaveNewLog = true;
  }
}

function memtableBytesOf([key, value = ""]: Change): number {
  const bytes = Buffer.byteLength(key) + (typeof value === "string" ? Buffer.byteLength(value) : value.byteLength);
  return ENTRY_BYTES + (bytes > SMALL_BYTES ? bytes : bytes * WASTE);
}
