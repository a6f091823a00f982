import path from "node:path";
import { ActivityError, messageOf } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import type { StorageProblem } from "../../src/storage/health.js";
import type { Durability } from "../../src/storage/storage.js";
import { isFull } from "../segments/failures.js";
import { corrupt } from "../segments/state.js";
import type { Commit, LogBatch, OpenedStore, SegmentName, SegmentStore } from "../segments/store.js";
import { type KeyGate, PLAIN_GATE } from "../segments/vault.js";
import { type LeftState, leftState, removeMark, writeMark } from "./clean-mark.js";
import { changesOf, Database, type LevelDatabase } from "./database.js";
import { EngineGuard } from "./engine-guard.js";
import { diskFiles, type FileSystem, syncFolder } from "./file-system.js";
import { type CheckedFolder, checkFolder, claimFolder, locked, makeFolders, unusable } from "./folder.js";
import { type FoundKeys, readKeys, writeKeys } from "./key-files.js";
import { takeBackUnforced } from "./manifest.js";
import { type DiskSpace, probe, Space } from "./space.js";
import { TableGuard } from "./table-guard.js";
import { Wal } from "./wal.js";

/** How a folder is opened. */
export interface FolderStoreOptions {
  readonly folder: string;
  readonly durability: Durability;
  readonly flushMillis: number;
  readonly minFreeBytes: number;
  readonly logger: Logger;
  /** @default none may be encrypted */
  readonly gate?: KeyGate | undefined;
  /** Makes a database that is not open. */
  readonly engine: (location: string) => LevelDatabase;
  /** @default the file system of the machine */
  readonly files?: FileSystem;
}

/** The byte store in a folder: LevelDB for segments, entries and records, files of our own for the log. */
export class FolderStore implements SegmentStore {
  readonly name: string;
  readonly #options: FolderStoreOptions;
  #folder: CheckedFolder | undefined;
  #level: LevelDatabase | undefined;
  #database: Database | undefined;
  #guard: EngineGuard | undefined;
  #wal: Wal | undefined;
  #space: Space | undefined;
  #tables: TableGuard | undefined;
  /** Number of the latest commit that counts. */
  #committed = 0;
  /** Whether the state was found whole. */
  #isRead = false;
  /** Set while the database is closed and opened again. */
  #reopening: Promise<void> | undefined;
  readonly #problems: StorageProblem[] = [];
  #onLogFailed: () => void = () => undefined;

  constructor(options: FolderStoreOptions) {
    this.#options = options;
    this.name = `folder ${path.resolve(options.folder)}`;
  }

  get logBytes(): number {
    return this.#wal?.bytes ?? 0;
  }

  async open(): Promise<OpenedStore> {
    const folder = await checkFolder(this.#options.folder, this.name);
    this.#folder = folder;
    const { durability, flushMillis, minFreeBytes, logger, gate = PLAIN_GATE, files = diskFiles } = this.#options;
    const keys = await readKeys(folder, this.name);
    const ring = await gate.pass(keys.ring, { name: this.name, isNew: folder.isNew });
    this.#space = new Space(folder.folder, minFreeBytes, logger);
    try {
      await this.#space.start();
      this.#tables = new TableGuard(folder, this.name);
      const left = await leftState(folder);
      await this.#tables.beforeOpening(left);
      await this.#begin(folder, left);
      await this.#keep(folder, keys, ring);
      this.#wal = new Wal({
        ...{ folder: folder.wal, damagedFolder: folder.damaged, durability, flushMillis, files, logger },
      });
      this.#wal.onFailed = () => this.#onLogFailed();
      const opened = await this.#read(folder, this.#wal, ring !== undefined);
      await removeMark(folder);
      return opened;
    } catch (cause) {
      await this.close();
      const failure = this.#engineFailure(cause);
      throw ActivityError.is(failure) ? failure : unusable(this.name, failure);
    }
  }

  append(batch: LogBatch): void | Promise<void> {
    return this.#opened(this.#wal).append(batch);
  }

  force(): Promise<void> {
    return this.#opened(this.#wal).force();
  }

  async beginLog(snapshot: LogBatch): Promise<void> {
    // The old log goes: what it was needed for must be found, names of LevelDB's files as well.
    await syncFolder(this.#opened(this.#folder).db);
    await this.#opened(this.#wal).begin(snapshot);
  }

  watchLog(onFailed: () => void): void {
    this.#onLogFailed = onFailed;
  }

  async commit(commit: Commit): Promise<void> {
    await this.#reopening;
    this.#tables?.assertSafe();
    await this.#opened(this.#database).write(changesOf(commit), true);
    this.#committed = commit.number;
  }

  /**
   * The engine goes on behind bytes that it failed to write, and loses at the next opening what it acknowledged since:
   * so it is closed and opened again. Until there is space for that the old handle serves reads.
   */
  async recover(): Promise<number> {
    const { folder, db } = this.#opened(this.#folder);
    await this.#opened(this.#space).hold(async () => {
      await probe(folder, db);
      await this.#reopen();
    });
    const number = await this.#opened(this.#database).commitNumber();
    // The links stay for salvage.
    if (number < this.#committed) throw corrupt(this.name, `LevelDB lost commits behind number ${number}`);
    await this.#guard?.release();
    return number;
  }

  async readSegment(name: SegmentName): Promise<Uint8Array | undefined> {
    if (this.#reopening !== undefined) await this.#reopening;
    this.#tables?.assertSafe();
    try {
      return await this.#opened(this.#database).segment(name);
    } catch (thrown) {
      // Its block cannot be read: as good as missing.
      if (ActivityError.is(this.#engineFailure(thrown))) return undefined;
      throw thrown;
    }
  }

  segments(): AsyncIterable<SegmentName> {
    return this.#opened(this.#database).segments();
  }

  async check(): Promise<readonly StorageProblem[]> {
    const message = await this.#tables?.check();
    const problems = message === undefined ? [] : [{ kind: "damaged" as const, message }];
    return [...problems, ...this.#opened(this.#wal).check()];
  }

  eraseDeleted = (): Promise<void> => this.#opened(this.#database).eraseDeleted();
  reclaim = (bucketNo: number): Promise<void> => this.#opened(this.#database).reclaim(bucketNo);

  refusal(): Error | undefined {
    return this.#space?.refusal;
  }

  async releaseReserve(): Promise<boolean> {
    return (await this.#space?.release()) ?? false;
  }

  disk(): DiskSpace | undefined {
    return this.#space?.known;
  }

  async close(): Promise<void> {
    await this.#space?.stop();
    await this.#wal?.close();
    await this.#reopening?.catch(() => undefined);
    try {
      await this.#level?.close();
      if (this.#isRead && this.#folder !== undefined) await writeMark(this.#folder);
    } catch (cause) {
      this.#options.logger.warn(`${this.name}: ${String(cause)}`);
    }
  }

  #opened<T>(part: T | undefined): T {
    if (part === undefined) throw new Error(`${this.name} is not open`);
    return part;
  }

  async #begin(folder: CheckedFolder, left: LeftState): Promise<void> {
    try {
      await makeFolders(folder);
      await this.#openEngine(folder, left);
    } catch (cause) {
      // On a full disk even opening needs a little space.
      if (!isFull(cause) || !(await this.#space?.release())) throw cause;
      await makeFolders(folder);
      await this.#openEngine(folder, left);
    }
  }

  async #openEngine(folder: CheckedFolder, left: LeftState): Promise<void> {
    this.#guard = new EngineGuard(folder.db, folder.aside);
    // There is nothing that LevelDB could drop from files that it left whole.
    if (left !== "unchanged") {
      await this.#guard.set();
      if (await takeBackUnforced(folder.db)) this.#options.logger.info(`${this.name}: a power cut left half a change`);
    }
    const level = this.#options.engine(folder.db);
    try {
      await level.open();
    } catch (thrown) {
      const failure = this.#engineFailure(thrown);
      if (ActivityError.is(failure) && failure.code === "STORAGE_LOCKED") await this.#guard.undo();
      throw failure;
    }
    this.#level = level;
    this.#database = new Database(level);
  }

  #engineFailure(thrown: unknown): unknown {
    if (ActivityError.is(thrown)) return thrown;
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
    const { code = "", message = String(cause) } = cause as NodeJS.ErrnoException;
    const holder = /already held by process/.test(message) ? "thread" : "process";
    if (code === "LEVEL_LOCKED") return locked(this.name, holder);
    // The name of the folder says nothing.
    const reason = message
      .replaceAll(path.resolve(this.#options.folder), "")
      .replaceAll(this.#folder?.folder ?? "", "");
    const isDamage =
      code === "LEVEL_CORRUPTION" ||
      /corruption|does not exist|no such file|invalid argument|missing files/i.test(reason) ||
      (!isFull(cause) && !/input\/output|permission|too many open/i.test(reason) && /CURRENT|MANIFEST/.test(reason));
    return isDamage ? corrupt(this.name, message, thrown) : cause;
  }

  /** Behind the lock: two that make the same folder must not keep each other's keys. */
  async #keep({ folder }: CheckedFolder, keys: FoundKeys, ring: string | undefined): Promise<void> {
    this.#problems.push(...keys.problems);
    if (ring === undefined) return;
    const found = await readKeys({ folder, isNew: false, isEncrypted: undefined }, this.name);
    if (found.ring !== keys.ring) throw locked(this.name, "process");
    if (ring !== keys.ring || !keys.isWhole) await writeKeys(folder, ring);
  }

  async #read(folder: CheckedFolder, wal: Wal, isEncrypted: boolean): Promise<OpenedStore> {
    const database = this.#opened(this.#database);
    const root = await database.root();
    this.#committed = await database.commitNumber();
    // LevelDB does not force the names of a database that it makes; where there is a log, a database is expected.
    if (folder.needsFormat) await syncFolder(folder.db);
    const log = await this.#readLog(wal, root !== undefined || !folder.needsFormat);
    if (folder.needsFormat) {
      const message = "the file FORMAT was damaged or missing; it was written anew";
      if (!folder.isNew && root !== undefined) this.#problems.push({ kind: "damaged", message });
      await claimFolder(folder, isEncrypted);
    }
    return {
      ...{ root, records: database.records(), entries: database.entries(), log },
      problems: () => [...this.#problems, ...wal.problems],
      accept: () => this.#accept(),
    };
  }

  /** @param isStarted whether there was a log once: a first start writes one before it marks the folder as ours */
  async #readLog(wal: Wal, isStarted: boolean): Promise<readonly LogBatch[]> {
    let log: readonly LogBatch[] | undefined;
    try {
      log = wal.read();
    } catch (cause) {
      throw corrupt(this.name, messageOf(cause), cause);
    }
    if (log !== undefined) return log;
    if (isStarted) throw corrupt(this.name, "its log is missing or cut off");
    await wal.begin({ sequence: 0, text: "" });
    return [];
  }

  /** The state is whole: what the engine dropped, if anything, was never acknowledged. */
  async #accept(): Promise<void> {
    this.#isRead = true;
    const dropped = await this.#guard?.dropped();
    const { logger } = this.#options;
    if (dropped !== undefined) logger.info(`${this.name}: dropped what was never acknowledged: ${dropped}`);
    await this.#guard?.release();
  }

  #reopen(): Promise<void> {
    const reopening = async () => {
      await this.#level?.close();
      await this.#begin(this.#opened(this.#folder), "unclean");
    };
    this.#reopening = reopening().finally(() => {
      this.#reopening = undefined;
    });
    return this.#reopening;
  }
}
