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
/** The low-water mark is never more than this part of the file system. */
const MOST_OF_DISK = 0.05;
/** Between two looks at the free space, in milliseconds. */
const LOOK_MILLIS = 2_000;
/** After the reserve was given up. */
const SOON_MILLIS = 500;
/** Held in reserve for deletions, for compaction and for closing when the disk is full. */
const RESERVE_BYTES = 4 * 1024 * 1024;
/** A reserve is never more than this part of the file system. */
const MOST_RESERVED = 0.1;
/** A reserve is made only where that much more is free. */
const FREE_PER_RESERVE = 2;

/** What is known of the space of a folder. */
export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
  readonly minFreeBytes: number;
}

/**
 * Watches the space of the file system: refuses writes before it is full, and holds a file in reserve that is given up
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
  /** Set while the reserve is given up: what is left is for deletions alone. */
  #isGivenUp = false;
  #hasReserve = false;
  /** Set while somebody needs the room that a reserve would take. */
  #isHeld = false;
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

  /** Looks for the reserve of an earlier opening. */
  async findReserve(): Promise<void> {
    this.#hasReserve = await fs.stat(this.#reserve).then(
      () => true,
      () => false,
    );
  }

  /** Begins to watch. */
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

  /** Looks at the free space now. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Gives the reserve up. @returns whether there was one */
  async release(): Promise<boolean> {
    if (!this.#hasReserve) return false;
    this.#hasReserve = false;
    this.#isGivenUp = true;
    await fs.rm(this.#reserve, { force: true });
    this.#soon = setTimeout(() => void this.look(), SOON_MILLIS);
    this.#soon.unref();
    this.#logger.warn("the disk is full: the reserve was given up; only deletions are accepted until there is space");
    return true;
  }

  /** Does some work that needs a little room; gives the reserve up for it if the disk is full. */
  async withRoom(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      if (!isFull(cause) || !(await this.release())) throw cause;
      await work();
    }
  }

  /** Does some work that needs the room there is: no reserve is made meanwhile. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#isHeld = true;
    try {
      await this.#looking;
      return await work();
    } finally {
      this.#isHeld = false;
    }
  }

  async #look(): Promise<void> {
    let found: { bsize: number; bavail: number; blocks: number };
    try {
      found = await fs.statfs(this.#folder);
    } catch {
      // Not every file system tells.
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
    const size = Math.min(RESERVE_BYTES, Math.floor(totalBytes * MOST_RESERVED));
    if (this.#isStopped || this.#isHeld || this.#hasReserve || freeBytes < size * FREE_PER_RESERVE) return;
    try {
      // Random: a file of zeros takes no space where the file system compresses.
      await fs.writeFile(this.#reserve, randomBytes(size), { mode: 0o600 });
      this.#hasReserve = true;
      this.#isGivenUp = false;
    } catch {
      await fs.rm(this.#reserve, { force: true }).catch(() => undefined);
      // A limit of the process rather than of the disk: nothing is gained by waiting.
      this.#isGivenUp = false;
    }
  }
}

/** What opening a database needs beside what its log is made into. */
const OPENING_BYTES = 2 * 1024 * 1024;

/**
 * Whether the database can be opened again: tried, since free space alone says nothing about quotas and failing
 * disks.
 *
 * @param folder of the file system @param db folder of the database: an opening makes its log into a table
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

async function logBytes(db: string): Promise<number> {
  const logs = (await fs.readdir(db)).filter((name) => logNumber(name) !== undefined);
  const sizes = await Promise.all(logs.map(async (name) => (await fs.stat(path.join(db, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
