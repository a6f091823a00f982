import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { storageFull } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import { isFull } from "../segments/failures.js";
import { syncFolder } from "./file-system.js";
import { logNumber } from "./level-files.js";

/** Default of the low-water mark, in bytes. */
export const DEFAULT_MIN_FREE_BYTES: number = 64 * 1024 * 1024;
/** The low-water mark is at most this part of the file system. */
const MAX_MARK_SHARE = 0.05;
/** Interval of the checks of free space, in milliseconds. */
const CHECK_MILLIS = 2_000;
/** Delay of the next check after the reserve was released, in milliseconds. */
const SOON_MILLIS = 500;
/**
 * Size of the reserve for deletions, compaction and closing when the disk is full. A deletion may make LevelDB convert
 * its log to a table, which has up to 4 MiB and the last commit.
 */
const RESERVE_BYTES = 8 * 1024 * 1024;
/** The reserve repeats this many random bytes: file systems compress in smaller units. */
const RANDOM_BYTES = 1024 * 1024;
/** The reserve is at most this part of the file system. */
const MAX_RESERVE_SHARE = 0.1;
/** The reserve is only created if this many times its size is free. */
const FREE_PER_RESERVE = 2;
/** With more free space, no new check is needed before a write. */
const PLENTY_BYTES = 256 * 1024 * 1024;
/** LevelDB converts a longer log to a table. */
const LONG_LOG_BYTES = 3.5 * 1024 * 1024;
/** Bytes of a database change in addition to its values. */
const SLACK_BYTES = 128 * 1024;

/** The disk space of a folder. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly minFreeBytes: number;
}

/**
 * Watches the free space of the file system: refuses writes before it is full, and keeps a reserve file, which it
 * deletes when the disk is full.
 */
export class DiskWatch {
  readonly #folder: string;
  readonly #reserve: string;
  readonly #minFreeBytes: number;
  readonly #logger: Logger;
  #known: DiskSpace | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  #isLow = false;
  /** Whether the reserve was released: the remaining space is only for deletions. */
  #isReserveReleased = false;
  #hasReserve = false;
  /** Number of operations that need the free space: no reserve is created in the meantime. */
  #holds = 0;
  #releasing: Promise<void> | undefined;
  #checking: Promise<void> | undefined;

  /** @param minFreeBytes the low-water mark; 0 = none */
  constructor(folder: string, minFreeBytes: number, logger: Logger) {
    this.#folder = folder;
    this.#reserve = path.join(folder, "reserve");
    this.#minFreeBytes = minFreeBytes;
    this.#logger = logger;
  }

  get known(): DiskSpace | undefined {
    return this.#known;
  }

  /** Why writes are refused, if they are. */
  get refusal(): Error | undefined {
    return this.#isLow || this.#isReserveReleased ? storageFull() : undefined;
  }

  /** Finds the reserve of an earlier opening. */
  async findReserve(): Promise<void> {
    this.#hasReserve = await fs.stat(this.#reserve).then(
      () => true,
      () => false,
    );
  }

  /** Starts watching. */
  async start(): Promise<void> {
    await this.check();
    this.#timer = setInterval(() => void this.check(), CHECK_MILLIS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    await this.#checking;
  }

  /** Checks the free space now. */
  check(): Promise<void> {
    this.#checking ??= this.#checkSpace().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** Releases the reserve. @returns whether there was one */
  async release(): Promise<boolean> {
    if (!this.#hasReserve) {
      await this.#releasing;
      return false;
    }
    this.#hasReserve = false;
    this.#isReserveReleased = true;
    this.#releasing = fs.rm(this.#reserve, { force: true });
    await this.#releasing;
    this.#soon = setTimeout(() => void this.check(), SOON_MILLIS);
    this.#soon.unref();
    this.#logger.warn("the disk is full: released the reserve; only deletions are accepted until there is space");
    return true;
  }

  /** Runs work that needs a little space. If the disk is full, releases the reserve and runs it again. */
  async retryWithReserve<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (!isFull(cause) || !(await this.release())) throw cause;
      return await work();
    }
  }

  /** Runs work that needs the free space: no reserve is created in the meantime. */
  async keepSpaceFree<T>(work: () => Promise<T>): Promise<T> {
    this.#holds++;
    try {
      await this.#checking;
      return await work();
    } finally {
      this.#holds--;
    }
  }

  /** Runs work that frees space. If little is free, it may use the reserve. */
  async withReserve<T>(work: () => Promise<T>): Promise<T> {
    if (this.#hasPlenty(0)) return work();
    return this.keepSpaceFree(async () => {
      await this.check();
      const { freeBytes, totalBytes } = this.#known ?? {};
      const isTight = freeBytes !== undefined && freeBytes < reserveBytes(totalBytes ?? 0) * FREE_PER_RESERVE;
      if (isTight) await this.release();
      return work();
    });
  }

  /**
   * Refuses a database change that would fail halfway, because LevelDB would then have to be reopened.
   *
   * @param db folder of the database: LevelDB first converts a long log to a table
   * @throws ActivityError `STORAGE_FULL`
   */
  async assertRoom(bytes: number, db: string): Promise<void> {
    if (this.#hasPlenty(bytes)) return;
    await this.check();
    const log = await logBytes(db);
    const needed = bytes + SLACK_BYTES + (log + bytes > LONG_LOG_BYTES ? log : 0);
    if (this.#known !== undefined && this.#known.freeBytes < needed) throw storageFull();
  }

  #hasPlenty(bytes: number): boolean {
    return this.#known !== undefined && this.#known.freeBytes > PLENTY_BYTES + bytes;
  }

  async #checkSpace(): Promise<void> {
    let found: { bsize: number; bavail: number; blocks: number };
    try {
      found = await fs.statfs(this.#folder);
    } catch {
      // Not every file system reports it.
      return;
    }
    const totalBytes = found.blocks * found.bsize;
    const freeBytes = found.bavail * found.bsize;
    const minFreeBytes = Math.min(this.#minFreeBytes, Math.floor(totalBytes * MAX_MARK_SHARE));
    this.#known = { freeBytes, totalBytes, minFreeBytes };
    const isLow = freeBytes < minFreeBytes;
    if (isLow !== this.#isLow) {
      this.#isLow = isLow;
      const amount = `${Math.floor(freeBytes / 1024 / 1024)} MiB free`;
      this.#logger.warn(isLow ? `low disk space: ${amount}; refusing writes` : `enough disk space: ${amount}`);
    }
    await this.#createReserve(freeBytes, totalBytes);
  }

  async #createReserve(freeBytes: number, totalBytes: number): Promise<void> {
    const size = reserveBytes(totalBytes);
    if (this.#isStopped || this.#holds > 0 || this.#hasReserve || freeBytes < size * FREE_PER_RESERVE) return;
    try {
      // Random, because a file of zeros takes no space on a compressing file system.
      await fs.writeFile(this.#reserve, Buffer.alloc(size, randomBytes(RANDOM_BYTES)), { mode: 0o600 });
      this.#hasReserve = true;
      this.#isReserveReleased = false;
    } catch {
      await fs.rm(this.#reserve, { force: true }).catch(() => undefined);
      // The process has a limit rather than the disk: refusing writes would not help.
      this.#isReserveReleased = false;
    }
  }
}

function reserveBytes(totalBytes: number): number {
  return Math.min(RESERVE_BYTES, Math.floor(totalBytes * MAX_RESERVE_SHARE));
}

/** Bytes for opening a database, in addition to the table of its log. */
const OPENING_BYTES = 2 * 1024 * 1024;

/**
 * Tests whether the database can be reopened, by writing a file: free space does not show quotas and failing disks.
 *
 * @param folder for the file @param db folder of the database: opening it converts its log to a table
 */
export async function assertReopenable(folder: string, db: string): Promise<void> {
  const file = path.join(folder, "reserve.new");
  try {
    await fs.writeFile(file, new Uint8Array(OPENING_BYTES + (await logBytes(db))), { mode: 0o600, flush: true });
    await syncFolder(folder);
  } finally {
    await fs.rm(file, { force: true });
  }
}

/** LevelDB compacts at most this much at a time. It removes replaced tables once the new ones exist. */
const MAX_COMPACTED_BYTES = 32 * 1024 * 1024;

/** Bytes for rewriting all tables of a database. */
export async function rewritingBytes(db: string): Promise<number> {
  return Math.min(await bytesOf(db, () => true), MAX_COMPACTED_BYTES);
}

function logBytes(db: string): Promise<number> {
  return bytesOf(db, (name) => logNumber(name) !== undefined);
}

async function bytesOf(db: string, isCounted: (name: string) => boolean): Promise<number> {
  const names = (await fs.readdir(db)).filter(isCounted);
  // LevelDB removes files at any time.
  const sizes = names.map((name) =>
    fs.stat(path.join(db, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
