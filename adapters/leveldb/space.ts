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
const MOST_OF_DISK = 0.05;
/** Interval of the checks of free space, in milliseconds. */
const LOOK_MILLIS = 2_000;
/** Interval after the reserve was released. */
const SOON_MILLIS = 500;
/**
 * Reserved for deletions, compaction and closing when the disk is full. A deletion may make LevelDB write a table of
 * its log, which has up to 4 MiB and the last commit.
 */
const RESERVE_BYTES = 8 * 1024 * 1024;
/** Random bytes of the reserve, which repeat: file systems compress in smaller units. */
const RANDOM_BYTES = 1024 * 1024;
/** A reserve is at most this part of the file system. */
const MOST_RESERVED = 0.1;
/** A reserve is only created if this many times its size is free. */
const FREE_PER_RESERVE = 2;
/** Above this much free space, the result of the last check is good enough. */
const PLENTY_BYTES = 256 * 1024 * 1024;
/** LevelDB turns a log beyond this length into a table. */
const LONG_LOG_BYTES = 3.5 * 1024 * 1024;
/** Bytes of a database change in addition to its values. */
const SLACK_BYTES = 128 * 1024;

/** Facts about the space of a folder. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly minFreeBytes: number;
}

/**
 * Watches the space of the file system: refuses writes before it is full, and keeps a reserve file that is released
 * when it is.
 */
export class Space {
  readonly #folder: string;
  readonly #reserve: string;
  readonly #minFreeBytes: number;
  readonly #logger: Logger;
  #known: DiskSpace | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #soon: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  #isLow = false;
  /** Set while the reserve is released: the rest is only for deletions. */
  #isGivenUp = false;
  #hasReserve = false;
  /** How many operations need the room of a reserve. */
  #holds = 0;
  #releasing: Promise<void> | undefined;
  #looking: Promise<void> | undefined;

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
    return this.#isLow || this.#isGivenUp ? storageFull() : undefined;
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
    await this.look();
    this.#timer = setInterval(() => void this.look(), LOOK_MILLIS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    await this.#looking;
  }

  /** Checks the free space now. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Releases the reserve. @returns whether there was one */
  async release(): Promise<boolean> {
    if (!this.#hasReserve) {
      await this.#releasing;
      return false;
    }
    this.#hasReserve = false;
    this.#isGivenUp = true;
    this.#releasing = fs.rm(this.#reserve, { force: true });
    await this.#releasing;
    this.#soon = setTimeout(() => void this.look(), SOON_MILLIS);
    this.#soon.unref();
    this.#logger.warn("the disk is full: the reserve was given up; only deletions are accepted until there is space");
    return true;
  }

  /** Runs work that needs a little room; releases the reserve for it if the disk is full. */
  async withRoom<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (!isFull(cause) || !(await this.release())) throw cause;
      return await work();
    }
  }

  /** Runs work that needs the free room: no reserve is created in the meantime. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#holds++;
    try {
      await this.#looking;
      return await work();
    } finally {
      this.#holds--;
    }
  }

  /** Runs work that frees space: if little is free, it may use the reserve. */
  async withReserve<T>(work: () => Promise<T>): Promise<T> {
    if (this.#hasPlenty(0)) return work();
    return this.hold(async () => {
      await this.look();
      const { freeBytes, totalBytes } = this.#known ?? {};
      const isTight = freeBytes !== undefined && freeBytes < reserveBytes(totalBytes ?? 0) * FREE_PER_RESERVE;
      if (isTight) await this.release();
      return work();
    });
  }

  /**
   * Refuses a database change that would fail half way and require LevelDB to be reopened.
   *
   * @param db its folder: a long log of LevelDB is first turned into a table
   * @throws ActivityError `STORAGE_FULL`
   */
  async assertRoom(bytes: number, db: string): Promise<void> {
    if (this.#hasPlenty(bytes)) return;
    await this.look();
    const log = await logBytes(db);
    const needed = bytes + SLACK_BYTES + (log + bytes > LONG_LOG_BYTES ? log : 0);
    if (this.#known !== undefined && this.#known.freeBytes < needed) throw storageFull();
  }

  #hasPlenty(bytes: number): boolean {
    return this.#known !== undefined && this.#known.freeBytes > PLENTY_BYTES + bytes;
  }

  async #look(): Promise<void> {
    let found: { bsize: number; bavail: number; blocks: number };
    try {
      found = await fs.statfs(this.#folder);
    } catch {
      // Not every file system reports it.
      return;
    }
    const totalBytes = found.blocks * found.bsize;
    const freeBytes = found.bavail * found.bsize;
    const minFreeBytes = Math.min(this.#minFreeBytes, Math.floor(totalBytes * MOST_OF_DISK));
    this.#known = { freeBytes, totalBytes, minFreeBytes };
    const isLow = freeBytes < minFreeBytes;
    if (isLow !== this.#isLow) {
      this.#isLow = isLow;
      const amount = `${Math.floor(freeBytes / 1024 / 1024)} MiB free`;
      this.#logger.warn(isLow ? `low disk space, ${amount}: writes are refused` : `disk space again: ${amount}`);
    }
    await this.#makeReserve(freeBytes, totalBytes);
  }

  async #makeReserve(freeBytes: number, totalBytes: number): Promise<void> {
    const size = reserveBytes(totalBytes);
    if (this.#isStopped || this.#holds > 0 || this.#hasReserve || freeBytes < size * FREE_PER_RESERVE) return;
    try {
      // Random, because a file of zeros takes no space on a file system that compresses.
      await fs.writeFile(this.#reserve, Buffer.alloc(size, randomBytes(RANDOM_BYTES)), { mode: 0o600 });
      this.#hasReserve = true;
      this.#isGivenUp = false;
    } catch {
      await fs.rm(this.#reserve, { force: true }).catch(() => undefined);
      // A limit of the process rather than of the disk: waiting does not help.
      this.#isGivenUp = false;
    }
  }
}

function reserveBytes(totalBytes: number): number {
  return Math.min(RESERVE_BYTES, Math.floor(totalBytes * MOST_RESERVED));
}

/** Bytes for opening a database, in addition to the table of its log. */
const OPENING_BYTES = 2 * 1024 * 1024;

/**
 * Tests whether the database can be reopened: free space does not show quotas and failing disks.
 *
 * @param folder of the file system @param db folder of the database: an opening turns its log into a table
 */
export async function probe(folder: string, db: string): Promise<void> {
  const file = path.join(folder, "reserve.new");
  try {
    await fs.writeFile(file, new Uint8Array(OPENING_BYTES + (await logBytes(db))), { mode: 0o600, flush: true });
    await syncFolder(folder);
  } finally {
    await fs.rm(file, { force: true });
  }
}

/** LevelDB compacts at most that much at a time. Replaced tables are removed once the new ones exist. */
const MOST_COMPACTED_BYTES = 32 * 1024 * 1024;

/** Bytes for rewriting all tables of a database. */
export async function rewritingBytes(db: string): Promise<number> {
  return Math.min(await bytesOf(db, () => true), MOST_COMPACTED_BYTES);
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
