import { createWriteStream } from "node:fs";
import { link, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { syncFolder } from "../../../adapters/leveldb/file-system.js";
import { parseBackup } from "../../codec/parse-backup.js";
import { hasCode } from "../../errors.js";
import type { BackupItem } from "../../storage/backup.js";
import { errorCode, exists, quotePath } from "../data-folder.js";
import { readBytes } from "../import/read-file.js";
import { LaunchError } from "../launch-error.js";
import { withPartial } from "./temporary.js";

export async function refuseExisting(file: string): Promise<void> {
  if (await exists(file)) throw existsError(file);
}

/** @throws LaunchError if the path exists and is not a file: replacing `/dev/stdout` would break it for everyone */
export async function refuseDevice(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() === false) throw new LaunchError(`${quotePath(file)} is not a file; use - to write to stdout`);
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
  try {
    await withPartial(file, async (partial) => {
      const sink = createWriteStream(partial, { flags: "wx", mode: 0o600, flush: true });
      if (file.endsWith(".gz")) await pipeline(bytes, createGzip(), sink);
      else await pipeline(bytes, sink);
      await check(partial);
      await (force ? rename(partial, file) : renameToNew(partial, file));
      await syncFolder(dirname(file)).catch(() => undefined);
    });
  } catch (cause) {
    throwUnwritten(quotePath(file))(cause);
  }
}

/** Creates an error handler that converts errors of the system to a LaunchError, and rethrows others. */
export function throwUnwritten(name: string): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof Error && "syscall" in cause)) throw cause;
    throw new LaunchError(`${name} cannot be written (${errorCode(cause)})`);
  };
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

/**
 * Reads a backup file, compressed or not.
 *
 * @param onBytes called with the number of bytes read so far
 * @throws ActivityError `INVALID_INPUT` for a damaged file; LaunchError for an unreadable one
 */
export function readBackupFile(file: string, onBytes?: (bytes: number) => void): AsyncGenerator<BackupItem> {
  return parseBackup(readBytes(file, onBytes));
}
