import path from "node:path";
import { ActivityError, messageOf } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import type { StorageProblem } from "../../src/storage/health.js";
import type { Durability } from "../../src/storage/storage.js";
import { corrupt } from "../segments/state.js";
import type { Commit, LogBatch, OpenedStore, SegmentName, SegmentStore } from "../segments/store.js";
import { type KeyGate, PLAIN_GATE } from "../segments/vault.js";
import { readCloseState, removeMark, writeMark } from "./clean-mark.js";
import type { LevelDatabase } from "./database.js";
import { assertReopenable, type DiskSpace, DiskWatch, rewritingBytes } from "./disk-watch.js";
import { toStorageError } from "./engine-failure.js";
import { diskFiles, type FileSystem } from "./file-system.js";
import {
  type CheckedFolder,
  checkFolder,
  claimFolder,
  type FolderLayout,
  removeUnusedKeys,
  unusableError,
} from "./folder.js";
import { FolderDatabase } from "./folder-database.js";
import { takeLock } from "./folder-lock.js";
import { FolderWatch } from "./folder-watch.js";
import { type FoundKeys, readKeys, writeKeys } from "./key-files.js";
import { TableGuard } from "./table-guard.js";
import { Wal } from "./wal.js";

/** Options of a folder. */
export interface FolderStoreOptions {
  readonly folder: string;
  readonly durability: Durability;
  readonly flushMillis: number;
  readonly minFreeBytes: number;
  readonly logger: Logger;
  /** Checks and creates keys. @default one that refuses encrypted data */
  readonly gate?: KeyGate | undefined;
  /** Creates a database that is not open yet. */
  readonly engine: (location: string) => LevelDatabase;
  /** @default the machine's file system */
  readonly files?: FileSystem;
  /** How often to check that the folder is in its place. @default each second */
  readonly checkMillis?: number;
}

/** The store in a folder: LevelDB for segments, entries and records, our own files for the log. */
export class FolderStore implements SegmentStore {
  readonly name: string;
  readonly #options: FolderStoreOptions;
  #folder: CheckedFolder | undefined;
  #database: FolderDatabase | undefined;
  #wal: Wal | undefined;
  #diskWatch: DiskWatch | undefined;
  #lock: LevelDatabase | undefined;
  #tables: TableGuard | undefined;
  readonly #folderWatch: FolderWatch;
  /** Number of the current commit. */
  #committed = 0;
  /** Whether the state was read completely. */
  #isRead = false;
  readonly #problems: StorageProblem[] = [];
  #onLogFailed: () => void = () => undefined;

  constructor(options: FolderStoreOptions) {
    this.#options = options;
    this.name = `folder ${path.resolve(options.folder)}`;
    const areInPlace = (): boolean => this.#database?.isInPlace() !== false && this.#wal?.isInPlace() !== false;
    this.#folderWatch = new FolderWatch(areInPlace, options.checkMillis);
  }

  get logBytes(): number {
    return this.#wal?.bytes ?? 0;
  }

  async open(): Promise<OpenedStore> {
    const { durability, flushMillis, minFreeBytes, logger, gate = PLAIN_GATE, files = diskFiles } = this.#options;
    this.#folder = await checkFolder(this.#options.folder, this.name);
    this.#diskWatch = new DiskWatch(this.#folder.folder, minFreeBytes, logger);
    try {
      this.#lock = await this.#lockFolder(this.#folder, this.#diskWatch);
      if (this.#folder.isErasing) await (await import("./maintenance/erase-folder.js")).eraseContent(this.#folder);
      // Another process may have changed it before the lock was taken.
      const folder = await checkFolder(this.#options.folder, this.name);
      this.#folder = folder;
      if (folder.isNew) await removeUnusedKeys(folder);
      const keys = await readKeys(folder, this.name);
      const ring = await gate.pass(keys.ring, { name: this.name, isNew: folder.isNew });
      await this.#diskWatch.start();
      this.#tables = new TableGuard(folder, this.name);
      const left = await readCloseState(folder);
      await this.#tables.checkBeforeOpening(left);
      const { name } = this;
      const { engine } = this.#options;
      this.#database = new FolderDatabase({ folder, name, diskWatch: this.#diskWatch, files, logger, engine });
      await this.#database.open(left);
      await this.#saveKeys(folder, keys, ring);
      this.#wal = new Wal({
        ...{ folder: folder.wal, damagedFolder: folder.damaged, durability, flushMillis, files, logger },
        assertInPlace: () => this.#folderWatch.assertInPlace(),
      });
      this.#wal.onFailed = () => this.#onLogFailed();
      const opened = await this.#read(folder, this.#wal, ring !== undefined);
      await removeMark(folder);
      return opened;
    } catch (cause) {
      await this.close();
      const failure = this.#engineFailure(cause);
      throw ActivityError.is(failure) ? failure : unusableError(this.name, failure);
    }
  }

  append(batch: LogBatch): void | Promise<void> {
    const { lost } = this.#folderWatch;
    if (lost !== undefined) throw lost;
    return this.#opened(this.#wal).append(batch);
  }

  force(): Promise<void> {
    return this.#opened(this.#wal).force();
  }

  async beginLog(snapshot: LogBatch): Promise<void> {
    this.#folderWatch.assertInPlace();
    // The old log is removed next: everything that it protected must be on the disk, including names of LevelDB's
    // files.
    await this.#opened(this.#database).forceNames();
    await this.#opened(this.#wal).startFile(snapshot);
  }

  watchLog(onFailed: () => void): void {
    this.#onLogFailed = onFailed;
  }

  async commit(commit: Commit): Promise<void> {
    const database = this.#opened(this.#database);
    await database.reopening;
    this.#folderWatch.assertInPlace();
    this.#tables?.assertSafe();
    await database.write(commit);
    this.#committed = commit.number;
  }

  /**
   * The engine would continue after bytes that it failed to write, and lose later acknowledged writes at the next
   * opening. So it is reopened. Until there is space for that, the old handle serves reads.
   */
  async recover(): Promise<number> {
    const { folder, db } = this.#opened(this.#folder);
    const database = this.#opened(this.#database);
    this.#folderWatch.assertInPlace();
    await this.#opened(this.#diskWatch).keepSpaceFree(async () => {
      await assertReopenable(folder, db);
      await database.reopen();
    });
    const number = await database.content.commitNumber();
    // The links stay for salvage.
    if (number < this.#committed) throw corrupt(this.name, `LevelDB lost commits after number ${number}`);
    await database.release();
    return number;
  }

  async readSegment(name: SegmentName): Promise<Uint8Array | undefined> {
    const database = this.#opened(this.#database);
    if (database.reopening !== undefined) await database.reopening;
    this.#tables?.assertSafe();
    try {
      return await database.content.segment(name);
    } catch (thrown) {
      // An unreadable block counts as missing.
      if (ActivityError.is(this.#engineFailure(thrown))) return undefined;
      throw thrown;
    }
  }

  segments(): AsyncIterable<SegmentName> {
    return this.#opened(this.#database).content.segments();
  }

  async check(): Promise<readonly StorageProblem[]> {
    const message = await this.#tables?.check();
    const problems = message === undefined ? [] : [{ kind: "damaged" as const, message }];
    return [...problems, ...this.#opened(this.#wal).check()];
  }

  async eraseDeleted(): Promise<void> {
    this.#folderWatch.assertInPlace();
    await this.#opened(this.#wal).removed;
    await this.assertRoom(await rewritingBytes(this.#opened(this.#folder).db));
    await this.#opened(this.#database).compact((database) => database.eraseDeleted());
  }

  async reclaim(bucketNo: number): Promise<void> {
    this.#folderWatch.assertInPlace();
    await this.#opened(this.#database).compact((database) => database.reclaim(bucketNo));
  }

  assertRoom = (bytes: number): Promise<void> =>
    this.#opened(this.#diskWatch).assertRoom(bytes, this.#opened(this.#folder).db);
  withReserve = <T>(work: () => Promise<T>): Promise<T> => this.#opened(this.#diskWatch).withReserve(work);

  refusal = (): Error | undefined => this.#diskWatch?.refusal;
  releaseReserve = async (): Promise<boolean> => (await this.#diskWatch?.release()) ?? false;
  disk = (): DiskSpace | undefined => this.#diskWatch?.known;
  lost = (): Error | undefined => this.#folderWatch.lost;

  async close(): Promise<void> {
    try {
      await this.#diskWatch?.stop();
      await this.#wal?.close();
      await this.#database?.close();
      this.#folderWatch.assertInPlace();
      if (this.#isRead && this.#folder !== undefined) await writeMark(this.#folder);
    } catch (cause) {
      this.#options.logger.warn(`${this.name}: ${String(cause)}`);
    } finally {
      await this.#lock?.close();
    }
  }

  async destroy(): Promise<void> {
    const { folder, minFreeBytes, logger } = this.#options;
    const { eraseFolder } = await import("./maintenance/erase-folder.js");
    await eraseFolder(folder, this.name, async (layout) => {
      const diskWatch = new DiskWatch(layout.folder, minFreeBytes, logger);
      return this.#lockFolder(layout, diskWatch).finally(() => diskWatch.stop());
    });
  }

  #opened<T>(part: T | undefined): T {
    if (part === undefined) throw new Error(`${this.name} is not open`);
    return part;
  }

  async #lockFolder({ folder, lock }: FolderLayout, diskWatch: DiskWatch): Promise<LevelDatabase> {
    await diskWatch.findReserve();
    const failureOf = (thrown: unknown): unknown => toStorageError(thrown, this.name, folder);
    return diskWatch.retryWithReserve(() => takeLock(lock, this.#options.engine, failureOf));
  }

  #engineFailure(thrown: unknown): unknown {
    return toStorageError(thrown, this.name, this.#opened(this.#folder).folder);
  }

  async #saveKeys({ folder }: CheckedFolder, keys: FoundKeys, ring: string | undefined): Promise<void> {
    this.#problems.push(...keys.problems);
    if (ring !== undefined && (ring !== keys.ring || !keys.isWhole)) await writeKeys(folder, ring);
  }

  async #read(folder: CheckedFolder, wal: Wal, isEncrypted: boolean): Promise<OpenedStore> {
    const database = this.#opened(this.#database).content;
    const root = await database.root();
    this.#committed = await database.commitNumber();
    // LevelDB does not force the file names of a new database. They must be on the disk before the log is.
    if (folder.needsFormat) await this.#database?.forceNames();
    const log = await this.#readLog(wal, root !== undefined || !folder.needsFormat);
    if (folder.needsFormat) {
      const message = "the file FORMAT was damaged or missing; it was rewritten";
      if (!folder.isNew && root !== undefined) this.#problems.push({ kind: "damaged", message });
      await claimFolder(folder, isEncrypted);
    }
    return {
      ...{ root, records: database.records(), entries: database.entries(), log },
      problems: () => [...this.#problems, ...wal.problems],
      accept: () => this.#accept(),
    };
  }

  /** @param isStarted whether a log must exist: a first start writes one before it marks the folder as ours */
  async #readLog(wal: Wal, isStarted: boolean): Promise<readonly LogBatch[]> {
    let log: readonly LogBatch[] | undefined;
    try {
      log = wal.read();
    } catch (cause) {
      throw corrupt(this.name, messageOf(cause), cause);
    }
    if (log !== undefined) return log;
    if (isStarted) throw corrupt(this.name, "its log is missing or incomplete");
    await wal.startFile({ sequence: 0, text: "" });
    return [];
  }

  async #accept(): Promise<void> {
    this.#isRead = true;
    await this.#database?.accept();
  }
}
