import { createReadStream, createWriteStream } from "node:fs";
import { link, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { createPartialPath, removeLeftovers } from "../../../adapters/leveldb/maintenance/partials.js";
import { parseBackup } from "../../codec/parse-backup.js";
import { hasCode } from "../../errors.js";
import type { BackupItem } from "../../storage/backup.js";
import { errorCode, exists, quotePath } from "../data-folder.js";
import { LaunchError } from "../launch-error.js";
import { removeWhenInterrupted } from "./temporary.js";

export async function refuseExisting(file: string): Promise<void> {
  if (await exists(file)) throw existsError(file);
}

function existsError(file: string): LaunchError {
  return new LaunchError(`${quotePath(file)} exists; choose another name, or replace it with --force`);
}

/**
 * Writes a temporary file, syncs and checks it, and only then renames it. Compresses it if the name ends in `.gz`.
 *
 * @throws LaunchError when it cannot be written
 */
export async function writeAtomically(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  { force, check }: { readonly force: boolean; check(file: string): Promise<void> },
): Promise<void> {
  await removeLeftovers(file);
  const temporary = createPartialPath(file);
  const forget = removeWhenInterrupted(temporary);
  try {
    const sink = createWriteStream(temporary, { flags: "wx", mode: 0o600 });
    if (file.endsWith(".gz")) await pipeline(Readable.from(bytes), createGzip(), sink);
    else await pipeline(Readable.from(bytes), sink);
    await syncPath(temporary);
    await check(temporary);
    await (force ? rename(temporary, file) : renameToNew(temporary, file));
    await syncPath(dirname(file)).catch(() => undefined);
  } catch (cause) {
    throw isSystemError(cause) ? new LaunchError(`${quotePath(file)} cannot be written (${errorCode(cause)})`) : cause;
  } finally {
    await rm(temporary, { force: true });
    forget();
  }
}

function isSystemError(cause: unknown): boolean {
  return cause instanceof Error && "syscall" in cause;
}

/** Renames without replacing a file that was created in the meantime. */
async function renameToNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (cause) {
    if (hasCode(cause, "EEXIST")) throw existsError(to);
    // A file system without hard links.
    await refuseExisting(to);
    await rename(from, to);
  }
}

async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Reads a backup file, compressed or not.
 *
 * @param onBytes called with the number of bytes read so far
 * @throws ActivityError `INVALID_INPUT` for a damaged file; LaunchError for an unreadable one
 */
export async function* readBackupFile(
  file: string,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<BackupItem> {
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 });
  let read = 0;
  stream.on("data", (chunk) => {
    read += chunk.length;
    onBytes(read);
  });
  stream.pause();
  let source: Readable = stream;
  try {
    if (await isCompressedFile(file)) {
      const gunzip = createGunzip();
      // `pipeline` passes errors of the file to the reader of the decompressed data.
      source = gunzip;
      void pipeline(stream, gunzip).catch(() => undefined);
    }
    yield* parseBackup(source);
  } catch (cause) {
    const code = errorCode(cause);
    if (code.startsWith("Z_")) throw new LaunchError(`${quotePath(file)} is damaged: its compression is broken`);
    if (isSystemError(cause)) throw new LaunchError(`${quotePath(file)} cannot be read (${code})`);
    throw cause;
  } finally {
    stream.destroy();
  }
}

async function isCompressedFile(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.readUInt16BE() === 0x1f8b;
  } finally {
    await handle.close();
  }
}
