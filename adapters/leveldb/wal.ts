import { randomBytes } from "node:crypto";
import path from "node:path";
import { hasCode, messageOf } from "../../src/errors.js";
import type { Logger } from "../../src/logger.js";
import type { StorageProblem } from "../../src/storage/health.js";
import type { Durability } from "../../src/storage/storage.js";
import { LazySet } from "../../src/util/lazy-collections.js";
import type { LogBatch } from "../segments/store.js";
import { closeQuietly, type FileSystem, writeWhole } from "./file-system.js";
import { encodeRecord, encodeStart, problemsOf, readWal, SALT_BYTES, walName, walNames } from "./wal-format.js";

/** Options of the log. */
export interface WalOptions {
  /** The folder for its files; must exist. */
  readonly folder: string;
  readonly damagedFolder: string;
  readonly durability: Durability;
  /** With `process-crash`: after how many milliseconds written bytes are forced to the disk. */
  readonly flushMillis: number;
  readonly files: FileSystem;
  /** Throws if the folder is no longer in its place. */
  readonly assertInPlace?: () => void;
  readonly logger: Logger;
}

/** After a write that blocked the process for this many milliseconds, later ones run in the background. */
const SLOW_MILLIS = 50;
const BACKGROUND_MILLIS = 30_000;

interface OpenFile {
  readonly name: string;
  readonly descriptor: number;
  readonly salt: Buffer;
  readonly identity: string | undefined;
  /** Valid bytes. */
  length: number;
  /** Bytes that were forced to the disk. */
  forced: number;
}

/**
 * The write-ahead log, in files of a folder. One file is current, and starts with a snapshot. A new one replaces it
 * once it is forced to the disk; only then is the old one removed. After a failed write or force, nothing more is
 * appended to a file.
 */
export class Wal {
  readonly #options: WalOptions;
  #file: OpenFile | undefined;
  #bytes = 0;
  #lastNumber = 0;
  /** The error after which nothing may be appended. */
  #failure: unknown;
  #problems: StorageProblem[] = [];
  /** Files to keep for salvage. */
  readonly #damaged: LazySet<string> = new LazySet();
  #slowUntil = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #forcing: Promise<void> | undefined;
  /** Resolves when all replaced files are removed. */
  removed: Promise<void> = Promise.resolve();
  /** Called when forcing the log has failed. */
  onFailed: () => void = () => undefined;

  constructor(options: WalOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get problems(): readonly StorageProblem[] {
    return this.#problems;
  }

  /**
   * Reads the log.
   *
   * @returns `undefined` if there is none, or only an incomplete first one
   * @throws Error if the start of the log is damaged
   */
  read(): readonly LogBatch[] | undefined {
    for (const name of this.#names().reverse()) {
      const content = readWal(this.#options.files.readFile(this.#pathOf(name)));
      if (content.batches.length > 0) {
        this.#problems = problemsOf(content);
        if (this.#problems.length > 0) this.#damaged.add(name);
        this.#bytes = content.end;
        return content.batches;
      }
      // An incomplete new log never became current: the previous one is.
      if (content.isTorn) continue;
      this.#damaged.add(name);
      throw new Error("the start of its log is damaged");
    }
    return undefined;
  }

  /** Appends a batch. Returns or resolves when it is as durable as the options require. */
  append(batch: LogBatch): void | Promise<void> {
    const file = this.#file;
    if (file === undefined || this.#failure !== undefined)
      throw new Error("the log has failed; start a new one", { cause: this.#failure });
    const record = encodeRecord(file.salt, batch);
    if (this.#options.durability === "power-loss") return this.#appendForced(file, Buffer.from(record));
    const started = performance.now();
    if (started < this.#slowUntil) return this.#appendInBackground(file, Buffer.from(record));
    try {
      writeWhole(this.#options.files, file.descriptor, record, file.length);
    } catch (cause) {
      throw this.#fail(file, cause);
    }
    this.#appended(file, record.length);
    this.#noticeSlowWrite(performance.now() - started);
  }

  /** Resolves when everything appended is on the disk. */
  async force(): Promise<void> {
    while (this.#forcing !== undefined) await this.#forcing;
    const file = this.#file;
    if (file === undefined || file.forced >= file.length) return;
    if (this.#failure !== undefined) throw new Error("the log failed", { cause: this.#failure });
    this.#forcing = this.#forceFile(file).finally(() => {
      this.#forcing = undefined;
    });
    await this.#forcing;
  }

  /** Starts a new file with a snapshot. Removes the old one in the background when the new one is on the disk. */
  async startFile(snapshot: LogBatch): Promise<void> {
    const { files, folder } = this.#options;
    await this.#awaitForce();
    await this.removed;
    const earlier = this.#names();
    const name = this.#nextName();
    const salt = randomBytes(SALT_BYTES);
    const descriptor = files.open(this.#pathOf(name));
    let length = 0;
    let isWritten = false;
    try {
      const content = encodeStart(salt, snapshot);
      length = content.length;
      await files.write(descriptor, content, 0);
      isWritten = true;
      await files.sync(descriptor);
      await files.syncFolder(folder);
    } catch (cause) {
      throw await this.#abandon(name, descriptor, isWritten, cause);
    }
    // A running force of the old file still needs its descriptor.
    await this.#awaitForce();
    if (this.#file !== undefined) closeQuietly(files, this.#file.descriptor);
    const identity = files.identity(this.#pathOf(name));
    this.#file = { name, descriptor, salt, identity, length, forced: length };
    this.#bytes = length;
    this.#failure = undefined;
    this.removed = this.#remove(earlier);
  }

  /** Forces all bytes and closes the file. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    // If this fails, the operating system still has the unforced bytes.
    if (this.#failure === undefined) await this.force().catch(() => undefined);
    if (this.#file !== undefined) closeQuietly(this.#options.files, this.#file.descriptor);
    this.#file = undefined;
    await this.removed;
  }

  /** Whether the current file still has its name. */
  isInPlace(): boolean {
    const file = this.#file;
    return file === undefined || this.#options.files.identity(this.#pathOf(file.name)) === file.identity;
  }

  /** Reads the current file again. @returns its problems */
  check(): StorageProblem[] {
    const file = this.#file;
    if (file === undefined) return [];
    const { end } = readWal(this.#options.files.readFile(this.#pathOf(file.name)));
    if (end >= file.length) return [];
    return [{ kind: "damaged", message: `the log is damaged at byte ${end}` }];
  }

  async #appendForced(file: OpenFile, record: Buffer): Promise<void> {
    const { files } = this.#options;
    try {
      await files.write(file.descriptor, record, file.length);
    } catch (cause) {
      throw this.#fail(file, cause);
    }
    try {
      await files.sync(file.descriptor);
    } catch (cause) {
      throw Object.assign(this.#fail(file, cause), { mayBeStored: true });
    }
    this.#appended(file, record.length);
    file.forced = file.length;
  }

  async #appendInBackground(file: OpenFile, record: Buffer): Promise<void> {
    try {
      await this.#options.files.write(file.descriptor, record, file.length);
    } catch (cause) {
      throw this.#fail(file, cause);
    }
    this.#appended(file, record.length);
  }

  #appended(file: OpenFile, bytes: number): void {
    file.length += bytes;
    this.#bytes = file.length;
    if (this.#timer !== undefined || this.#options.durability !== "process-crash") return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.force().catch(() => undefined);
    }, this.#options.flushMillis);
    this.#timer.unref();
  }

  /** Resolves when no force is in progress. */
  async #awaitForce(): Promise<void> {
    while (this.#forcing !== undefined) await this.#forcing.catch(() => undefined);
  }

  async #forceFile(file: OpenFile): Promise<void> {
    const { length } = file;
    try {
      this.#options.assertInPlace?.();
      await this.#options.files.sync(file.descriptor);
    } catch (cause) {
      if (this.#file === file) {
        this.#failure = cause;
        this.onFailed();
      }
      throw cause;
    }
    file.forced = Math.max(file.forced, length);
  }

  /** Cuts off the bytes of a failed write, if possible, and creates its error. */
  #fail(file: OpenFile, cause: unknown): Error {
    this.#failure = cause;
    let mayBeStored = false;
    try {
      this.#options.files.truncate(file.descriptor, file.length);
    } catch {
      mayBeStored = true;
    }
    return Object.assign(new Error(`cannot write the log: ${messageOf(cause)}`, { cause }), { mayBeStored });
  }

  /** Removes an incomplete new file, and creates its error. A power cut may restore the file if it was complete. */
  async #abandon(name: string, descriptor: number, isWritten: boolean, cause: unknown): Promise<Error> {
    const { files } = this.#options;
    let mayBeStored = isWritten;
    try {
      closeQuietly(files, descriptor);
      await files.remove(this.#pathOf(name));
    } catch (thrown) {
      mayBeStored ||= !hasCode(thrown, "ENOENT");
    }
    this.#failure = cause;
    return Object.assign(new Error(`cannot start a new log: ${messageOf(cause)}`, { cause }), { mayBeStored });
  }

  async #remove(names: readonly string[]): Promise<void> {
    const { files, damagedFolder, logger } = this.#options;
    for (const name of names) {
      try {
        if (!this.#damaged.has(name)) await files.remove(this.#pathOf(name));
        else files.moveInto(this.#pathOf(name), damagedFolder);
        this.#damaged.delete(name);
      } catch (cause) {
        // It does no harm: the newest file is current.
        logger.warn(`cannot remove the old log ${name}: ${messageOf(cause)}; trying again later`);
      }
    }
  }

  #noticeSlowWrite(millis: number): void {
    if (millis < SLOW_MILLIS) return;
    this.#slowUntil = performance.now() + BACKGROUND_MILLIS;
    const effect = `writing in the background for ${BACKGROUND_MILLIS / 1000} seconds`;
    this.#options.logger.warn(`the disk is slow: a write took ${Math.round(millis)} ms; ${effect}`);
  }

  #names(): string[] {
    return walNames(this.#options.files.list(this.#options.folder));
  }

  #nextName(): string {
    this.#lastNumber = Math.max(this.#lastNumber, ...this.#names().map((name) => Number.parseInt(name, 10))) + 1;
    return walName(this.#lastNumber);
  }

  #pathOf(name: string): string {
    return path.join(this.#options.folder, name);
  }
}
