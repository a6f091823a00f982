import path from "node:path";
import type { FileSystem } from "../../adapters/leveldb/file-system.js";
import { intOf } from "../contract/case.js";

const SECTOR_BYTES = 512;

interface File {
  /** As the process sees it, and as the disk certainly has it. */
  content: Buffer;
  forced: Buffer;
}

/** What one call of the log does wrong. */
export type Fault = "nothing" | "fails" | "tears" | "confirms nothing";

/**
 * Files in memory that behave as a disk does when it fails: calls fail, writes are cut short, and a power cut leaves, of
 * what was not forced, any sectors in any order, and any of the folder's new and removed names.
 */
export class SimulatedFiles implements FileSystem {
  readonly #random: () => number;
  #files: Map<string, File> = new Map();
  /** Names as the disk certainly has them. */
  #forcedNames: Map<string, File> = new Map();
  readonly #open: Map<number, File> = new Map();
  #nextDescriptor = 3;
  /** Asked before each call that can fail. */
  fault: (call: string) => Fault = () => "nothing";

  constructor(random: () => number) {
    this.#random = random;
  }

  list = (folder: string): string[] =>
    [...this.#files.keys()].filter((file) => path.dirname(file) === folder).map((file) => path.basename(file));

  readFile = (file: string): Buffer => Buffer.from(this.#file(file).content);

  open = (file: string): number => {
    this.#mayFail("open");
    if (this.#files.has(file)) throw failure("EEXIST");
    const made = { content: Buffer.alloc(0), forced: Buffer.alloc(0) };
    this.#files.set(file, made);
    this.#open.set(this.#nextDescriptor, made);
    return this.#nextDescriptor++;
  };

  writeNow = (descriptor: number, bytes: Uint8Array, position: number): number => {
    const fault = this.fault("write");
    if (fault === "fails") throw failure("ENOSPC");
    // Some of it is written, now or, as the first part of a longer write does, before the failure.
    const length = fault === "tears" ? intOf(this.#random, 1, bytes.length) : bytes.length;
    this.#put(descriptor, bytes.subarray(0, length), position);
    return length;
  };

  write = async (descriptor: number, bytes: Uint8Array, position: number): Promise<void> => {
    const fault = this.fault("write");
    if (fault === "fails") throw failure("EIO");
    if (fault === "tears") {
      this.#put(descriptor, bytes.subarray(0, intOf(this.#random, 0, bytes.length)), position);
      throw failure("ENOSPC");
    }
    this.#put(descriptor, bytes, position);
  };

  sync = async (descriptor: number): Promise<void> => {
    const fault = this.fault("sync");
    const file = this.#opened(descriptor);
    if (fault === "confirms nothing") file.forced = Buffer.from(file.content);
    if (fault !== "nothing") throw failure("EIO");
    file.forced = Buffer.from(file.content);
  };

  syncFolder = async (): Promise<void> => {
    this.#mayFail("syncFolder");
    this.#forcedNames = new Map(this.#files);
  };

  identity = (file: string): string | undefined => (this.#files.has(file) ? file : undefined);

  truncate = (descriptor: number, length: number): void => {
    this.#mayFail("truncate");
    const file = this.#opened(descriptor);
    file.content = Buffer.from(file.content.subarray(0, length));
  };

  close = (descriptor: number): void => {
    this.#open.delete(descriptor);
  };

  remove = async (file: string): Promise<void> => {
    this.#mayFail("remove");
    if (!this.#files.delete(file)) throw failure("ENOENT");
  };

  moveInto = (file: string, folder: string): void => {
    this.#mayFail("move");
    this.#files.set(path.join(folder, path.basename(file)), this.#file(file));
    this.#files.delete(file);
  };

  /** The files as another process finds them when this one is killed. */
  afterKill(): SimulatedFiles {
    const next = new SimulatedFiles(this.#random);
    for (const [name, { content }] of this.#files) next.#keep(name, content);
    return next;
  }

  /** The files as they are found after a power cut. */
  afterPowerCut(): SimulatedFiles {
    const next = new SimulatedFiles(this.#random);
    for (const name of new Set([...this.#files.keys(), ...this.#forcedNames.keys()])) {
      const [now, before] = [this.#files.get(name), this.#forcedNames.get(name)];
      const file = now === before || this.#random() < 0.5 ? now : before;
      if (file !== undefined) next.#keep(name, this.#survivor(file));
    }
    return next;
  }

  #keep(name: string, content: Buffer): void {
    const file = { content: Buffer.from(content), forced: Buffer.from(content) };
    this.#files.set(name, file);
    this.#forcedNames.set(name, file);
  }

  /** Any of the sectors written since the last force; the length is one of those that there were. */
  #survivor({ content, forced }: File): Buffer {
    if (content.equals(forced)) return forced;
    const longest = Math.max(content.length, forced.length);
    const length = this.#random() < 0.5 ? content.length : intOf(this.#random, forced.length, longest);
    const result = Buffer.alloc(length);
    forced.copy(result);
    const first = Math.floor(commonLength(content, forced) / SECTOR_BYTES) * SECTOR_BYTES;
    const keepsAll = this.#random() < 0.3;
    for (let at = first; at < length; at += SECTOR_BYTES) {
      const isKept = keepsAll || this.#random() < 0.5;
      if (isKept && at < content.length) content.copy(result, at, at, Math.min(at + SECTOR_BYTES, content.length));
    }
    return result;
  }

  #put(descriptor: number, bytes: Uint8Array, position: number): void {
    const file = this.#opened(descriptor);
    const content = Buffer.alloc(Math.max(file.content.length, position + bytes.length));
    file.content.copy(content);
    content.set(bytes, position);
    file.content = content;
  }

  #mayFail(call: string): void {
    if (this.fault(call) !== "nothing") throw failure("EIO");
  }

  #file(name: string): File {
    const file = this.#files.get(name);
    if (file === undefined) throw failure("ENOENT");
    return file;
  }

  #opened(descriptor: number): File {
    const file = this.#open.get(descriptor);
    if (file === undefined) throw failure("EBADF");
    return file;
  }
}

function commonLength(a: Buffer, b: Buffer): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

function failure(code: string): Error {
  return Object.assign(new Error(`${code}: simulated`), { code });
}
