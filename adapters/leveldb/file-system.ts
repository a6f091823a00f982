import fs from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { ifCode } from "../../src/errors.js";

/**
 * The file system calls of the log. Tests replace them with ones that fail, tear writes and lose unforced data, like
 * disks.
 */
export interface FileSystem {
  /** Names in a folder. */
  list(folder: string): string[];
  readFile(file: string): Buffer;
  /** Creates a file that must not exist, for its owner only. @returns its descriptor */
  open(file: string): number;
  /** Writes synchronously. @returns how many bytes were written, at least one */
  writeNow(descriptor: number, bytes: Uint8Array, position: number): number;
  /** Writes all bytes in the background. */
  write(descriptor: number, bytes: Uint8Array, position: number): Promise<void>;
  /** Forces the content of a file to the disk. */
  sync(descriptor: number): Promise<void>;
  /** Forces the entries of a folder to the disk. */
  syncFolder(folder: string): Promise<void>;
  /** Identifies the file at a path; `undefined` if there is none. */
  identity(file: string): string | undefined;
  truncate(descriptor: number, length: number): void;
  close(descriptor: number): void;
  /** Removes a file in the background: freeing a long one takes up to 70 ms. */
  remove(file: string): Promise<void>;
  /** Moves a file into a folder, under a free name. Creates the folder if it is missing. */
  moveInto(file: string, folder: string): void;
}

const write = promisify(fs.write);
const datasync = promisify(fs.fdatasync);

/** Forces the entries of a folder to the disk. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders and needs no such call.
  if (process.platform === "win32") return;
  const handle = await fs.promises.open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Replaces a file, for its owner only, and forces it to the disk, with its entry in the folder. */
export async function replaceFile(file: string, content: string): Promise<void> {
  const temporary = `${file}.new`;
  await fs.promises.rm(temporary, { force: true });
  await fs.promises.writeFile(temporary, content, { flag: "wx", mode: 0o600, flush: true });
  await fs.promises.rename(temporary, file);
  await syncFolder(path.dirname(file));
}

/** The file system of the machine. */
export const diskFiles: FileSystem = {
  list: (folder) => fs.readdirSync(folder),
  readFile: (file) => fs.readFileSync(file),
  open: (file) => fs.openSync(file, "wx+", 0o600),
  writeNow: (descriptor, bytes, position) => fs.writeSync(descriptor, bytes, 0, bytes.length, position),
  async write(descriptor, bytes, position) {
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await write(descriptor, bytes, written, bytes.length - written, position + written);
      written += bytesWritten;
    }
  },
  sync: (descriptor) => datasync(descriptor),
  syncFolder,
  identity(file) {
    const found = fs.statSync(file, { bigint: true, throwIfNoEntry: false });
    return found && `${found.dev}:${found.ino}`;
  },
  truncate: (descriptor, length) => fs.ftruncateSync(descriptor, length),
  close: (descriptor) => fs.closeSync(descriptor),
  remove: (file) => fs.promises.unlink(file),
  moveInto(file, folder) {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = `${Date.now()}-${path.basename(file)}`;
    fs.renameSync(file, path.join(folder, name));
  },
};

/** Whether a file or folder of that name exists. */
export function exists(file: string): Promise<boolean> {
  return stat(file).then(() => true, ifCode("ENOENT", false));
}

/** Writes all bytes synchronously. */
export function writeWhole(files: FileSystem, descriptor: number, bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length; ) {
    // No view of the whole bytes, for rows `heartbeats/*` of the bench.
    const rest = written === 0 ? bytes : bytes.subarray(written);
    written += files.writeNow(descriptor, rest, position + written);
  }
}

/** Closes a file, and ignores errors. */
export function closeQuietly(files: FileSystem, descriptor: number): void {
  try {
    files.close(descriptor);
  } catch {
    // Earlier write and sync calls have already reported all failures that matter.
  }
}
