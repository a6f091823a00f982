// The file of a queue: lines are appended, and now and then it is written anew with what still waits.
import { look, makeRoom, realPath, type Seen } from "./file.js";
import { lock, reserve } from "./lock.js";
import type { NodeParts } from "./node.js";
import { HeartbeatQueueError } from "./queue-error.js";
import type { Recovered } from "./records.js";
import { textOf, type Warn } from "./warning.js";

/** Where a queue writes down what it takes and what it has sent. */
export interface Journal {
  /** Whether all that waits is in the file. */
  readonly isWritten: boolean;
  /**
   * Appends a line about something that the queue holds already. Never throws: a file that fails is warned about, and
   * written anew later.
   *
   * @param beat number of the beat that the line holds, if it does
   */
  append(line: string, beat?: number): void;
  /** Lets go of the file. @returns number of the newest beat that it keeps; 0 = none */
  close(): number;
}

/** What a journal is written anew from. */
export interface Live {
  /** All lines that are needed. */
  lines(): Iterable<string>;
  /** Bytes of these, roughly. */
  readonly bytes: number;
  /** Number of the newest beat. */
  readonly newest: number;
}

export interface JournalOptions {
  readonly path: string;
  readonly bucketId: string;
  /** Whether each line is to reach the disk itself. */
  readonly fsync: boolean;
  /** Milliseconds. */
  readonly clock: () => number;
  readonly warn: Warn;
}

/** What a file may have beyond twice of what is needed. */
const SLACK_BYTES = 256 * 1024;
/** How long a file that cannot be written is left alone, in milliseconds. */
const RETRY_MILLIS = 10_000;

/** The journal of a queue without a file. */
export const NO_JOURNAL: Journal = { isWritten: false, append() {}, close: () => 0 };

/**
 * Opens a file, which is made when it is not there. What is no queue file, or a damaged one, is set aside. A file that
 * cannot be locked or written, as on a full disk, is read all the same, and tried again later.
 *
 * @param begin gets what the file held, and gives what it is written anew from
 * @throws HeartbeatQueueError `LOCKED`, `OTHER_BUCKET`
 */
export function openJournal(node: NodeParts, options: JournalOptions, begin: (found: Recovered) => Live): Journal {
  const path = realPath(node, options.path);
  const leave = reserve(path);
  let unlock: (() => void) | undefined;
  try {
    try {
      unlock = lock(node, path);
    } catch (error) {
      // It is tried again when the file is written, which reports the failure.
      if (error instanceof HeartbeatQueueError) throw error;
    }
    const seen = look(node.fs, path, options.bucketId);
    return new FileJournal(node, { ...options, path }, seen, begin(seen.found), { unlock, leave });
  } catch (error) {
    leave();
    unlock?.();
    throw error;
  }
}

/** What a journal gives back at its end. */
interface Hold {
  /** `undefined` while there is no lock. */
  unlock: (() => void) | undefined;
  readonly leave: () => void;
}

class FileJournal implements Journal {
  readonly #node: NodeParts;
  readonly #fs: NodeParts["fs"];
  readonly #options: JournalOptions;
  readonly #live: Live;
  readonly #hold: Hold;
  /** What lay there before, until the file is this journal's own. */
  #seen: Seen | undefined;
  /** `undefined` while the file cannot be written. */
  #file: number | undefined;
  #bytes = 0;
  /** Number of the newest beat in the file. */
  #newest: number;
  #triedAt = Number.NEGATIVE_INFINITY;
  #isWarned = false;

  constructor(node: NodeParts, options: JournalOptions, seen: Seen, live: Live, hold: Hold) {
    this.#node = node;
    this.#fs = node.fs;
    this.#options = options;
    this.#live = live;
    this.#hold = hold;
    this.#seen = seen;
    this.#newest = seen.found.next - 1;
    this.#writeAnew();
  }

  get isWritten(): boolean {
    return this.#file !== undefined;
  }

  append(line: string, beat?: number): void {
    if (this.#file === undefined) {
      const now = this.#options.clock();
      if (now >= this.#triedAt && now - this.#triedAt < RETRY_MILLIS) return;
      this.#writeAnew();
    } else if (this.#bytes > SLACK_BYTES + 2 * this.#live.bytes || this.#isGone(this.#file)) {
      this.#writeAnew();
    } else {
      this.#write(this.#file, line, beat);
    }
  }

  #write(file: number, line: string, beat: number | undefined): void {
    try {
      this.#fs.writeFileSync(file, line);
      if (this.#options.fsync) this.#fs.fdatasyncSync(file);
      this.#bytes += Buffer.byteLength(line);
      this.#newest = beat ?? this.#newest;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Whether somebody has deleted the file, or put another one in its place: lines would go nowhere. */
  #isGone(file: number): boolean {
    try {
      const { nlink, ino } = this.#fs.fstatSync(file);
      // Some file systems count no links.
      if (nlink > 0 || this.#fs.statSync(this.#options.path, { throwIfNoEntry: false })?.ino === ino) return false;
    } catch {
      // Whatever it is, writing anew reports it.
    }
    this.#newest = 0;
    return true;
  }

  /** Writes beside the file and puts the result in its place: it is never there by halves. */
  #writeAnew(): void {
    const { path, fsync, warn } = this.#options;
    const fresh = `${path}.new`;
    const folder = this.#node.path.dirname(path);
    try {
      this.#fs.mkdirSync(folder, { recursive: true });
      this.#hold.unlock ??= lock(this.#node, path);
      if (this.#seen !== undefined) makeRoom(this.#fs, path, this.#seen, warn);
      this.#seen = undefined;
      this.#bytes = this.#writeAll(fresh);
      this.#closeFile();
      this.#fs.renameSync(fresh, path);
      if (fsync) this.#syncFolder(folder);
      this.#file = this.#fs.openSync(path, "a");
      this.#newest = this.#live.newest;
      this.#isWarned = false;
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @returns bytes written */
  #writeAll(fresh: string): number {
    const text = [...this.#live.lines()].join("");
    const file = this.#fs.openSync(fresh, "w", 0o600);
    try {
      this.#fs.writeFileSync(file, text);
      if (this.#options.fsync) this.#fs.fdatasyncSync(file);
    } catch (error) {
      // A full disk needs the room.
      this.#fs.rmSync(fresh, { force: true });
      throw error;
    } finally {
      this.#fs.closeSync(file);
    }
    return Buffer.byteLength(text);
  }

  /** Otherwise the old name could come back after a power failure. */
  #syncFolder(name: string): void {
    let folder: number;
    try {
      folder = this.#fs.openSync(name, "r");
    } catch {
      // Windows opens no folders, and needs none of this.
      return;
    }
    try {
      this.#fs.fsyncSync(folder);
    } finally {
      this.#fs.closeSync(folder);
    }
  }

  #fail(error: unknown): void {
    this.#closeFile();
    this.#triedAt = this.#options.clock();
    if (this.#isWarned) return;
    this.#isWarned = true;
    const { path, warn } = this.#options;
    warn("FILE", `the queue file ${path} cannot be written, events are kept in memory until it can: ${textOf(error)}`, {
      cause: error,
    });
  }

  #closeFile(): void {
    if (this.#file === undefined) return;
    const file = this.#file;
    this.#file = undefined;
    try {
      this.#fs.closeSync(file);
    } catch {
      // It is given up either way, and written anew before it counts again.
    }
  }

  close(): number {
    if (this.#file === undefined || this.#isGone(this.#file)) this.#writeAnew();
    this.#closeFile();
    this.#hold.leave();
    try {
      this.#hold.unlock?.();
    } catch (error) {
      this.#options.warn("FILE", `the lock of ${this.#options.path} cannot be removed: ${textOf(error)}`, {
        cause: error,
      });
    }
    return this.#newest;
  }
}
