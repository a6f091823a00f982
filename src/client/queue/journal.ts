// The file of a queue: lines are appended, and it is rewritten from time to time with the waiting events.
import { type FileState, inspectFile, makeRoom, realPath } from "./file.js";
import { lock, reserve } from "./lock.js";
import type { NodeParts } from "./node.js";
import { HeartbeatQueueError } from "./queue-error.js";
import type { Recovered } from "./records.js";
import { type Warn, warningText } from "./warning.js";

export interface Journal {
  /** Whether the file contains all waiting events. */
  readonly isWritten: boolean;
  /**
   * Appends a line about something that the queue already has. Never throws: a failing file causes a warning, and is
   * rewritten later.
   *
   * @param beat number of the heartbeat in the line, if any
   */
  append(line: string, beat?: number): void;
  /** Closes the file. @returns number of the newest heartbeat in it; 0 = none */
  close(): number;
}

export interface Live {
  lines(): Iterable<string>;
  /** Approximate bytes of these lines. */
  bytes(): number;
  /** Number of the newest heartbeat. */
  newest(): number;
}

export interface JournalOptions {
  readonly path: string;
  readonly bucketId: string;
  /** Whether each line is forced to the disk. */
  readonly fsync: boolean;
  /** Milliseconds. */
  readonly clock: () => number;
  readonly warn: Warn;
}

/** Bytes that a file may have in addition to twice the needed ones. */
const SLACK_BYTES = 256 * 1024;
const RETRY_MILLIS = 10_000;

export const NO_JOURNAL: Journal = { isWritten: false, append() {}, close: () => 0 };

/**
 * Opens a file, or creates it. A foreign or damaged file is set aside. A file that cannot be locked or written, as on a
 * full disk, is still read, and tried again later.
 *
 * @param begin receives the file's content, and returns the source for rewriting it
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
      // The next write tries again and reports the failure.
      if (error instanceof HeartbeatQueueError) throw error;
    }
    const seen = inspectFile(node.fs, path, options.bucketId);
    return new FileJournal(node, { ...options, path }, seen, begin(seen.found), { unlock, leave });
  } catch (error) {
    leave();
    unlock?.();
    throw error;
  }
}

interface Hold {
  /** `undefined` without a lock. */
  unlock: (() => void) | undefined;
  readonly leave: () => void;
}

class FileJournal implements Journal {
  readonly #node: NodeParts;
  readonly #fs: NodeParts["fs"];
  readonly #options: JournalOptions;
  readonly #live: Live;
  readonly #hold: Hold;
  /** The content found at the path, until the file belongs to this journal. */
  #seen: FileState | undefined;
  /** `undefined` while the file is not writable. */
  #file: number | undefined;
  #bytes = 0;
  /** Number of the newest heartbeat in the file. */
  #newest: number;
  #triedAt = Number.NEGATIVE_INFINITY;
  #isWarned = false;

  constructor(node: NodeParts, options: JournalOptions, seen: FileState, live: Live, hold: Hold) {
    this.#node = node;
    this.#fs = node.fs;
    this.#options = options;
    this.#live = live;
    this.#hold = hold;
    this.#seen = seen;
    this.#newest = seen.found.next - 1;
    this.#rewriteFile();
  }

  get isWritten(): boolean {
    return this.#file !== undefined;
  }

  append(line: string, beat?: number): void {
    if (this.#file === undefined) {
      const now = this.#options.clock();
      if (now >= this.#triedAt && now - this.#triedAt < RETRY_MILLIS) return;
      this.#rewriteFile();
    } else if (this.#bytes > SLACK_BYTES + 2 * this.#live.bytes() || this.#isGone(this.#file)) {
      this.#rewriteFile();
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

  /** Whether the file was deleted or replaced: appended lines would be lost. */
  #isGone(file: number): boolean {
    try {
      const { nlink, ino } = this.#fs.fstatSync(file);
      // Some file systems do not count links.
      if (nlink > 0 || this.#fs.statSync(this.#options.path, { throwIfNoEntry: false })?.ino === ino) return false;
    } catch {
      // Rewriting the file reports any failure.
    }
    this.#newest = 0;
    return true;
  }

  /** Writes a temporary file and moves it into place, so that the file is never incomplete. */
  #rewriteFile(): void {
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
      this.#newest = this.#live.newest();
      this.#isWarned = false;
    } catch (error) {
      this.#fail(error);
    }
  }

  #writeAll(fresh: string): number {
    const text = [...this.#live.lines()].join("");
    const file = this.#fs.openSync(fresh, "w", 0o600);
    try {
      this.#fs.writeFileSync(file, text);
      if (this.#options.fsync) this.#fs.fdatasyncSync(file);
    } catch (error) {
      // A full disk needs the space.
      this.#fs.rmSync(fresh, { force: true });
      throw error;
    } finally {
      this.#fs.closeSync(file);
    }
    return Buffer.byteLength(text);
  }

  /** Otherwise the old name could reappear after a power failure. */
  #syncFolder(name: string): void {
    let folder: number;
    try {
      folder = this.#fs.openSync(name, "r");
    } catch {
      // Windows cannot open folders and does not need this.
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
    const text = `the queue file ${path} cannot be written, events are kept in memory until it can`;
    warn("FILE", `${text}: ${warningText(error)}`, { cause: error });
  }

  #closeFile(): void {
    if (this.#file === undefined) return;
    const file = this.#file;
    this.#file = undefined;
    try {
      this.#fs.closeSync(file);
    } catch {
      // It is abandoned anyway, and rewritten before it is used again.
    }
  }

  close(): number {
    if (this.#file === undefined || this.#isGone(this.#file)) this.#rewriteFile();
    this.#closeFile();
    this.#hold.leave();
    try {
      this.#hold.unlock?.();
    } catch (error) {
      this.#options.warn("FILE", `the lock of ${this.#options.path} cannot be removed: ${warningText(error)}`, {
        cause: error,
      });
    }
    return this.#newest;
  }
}
