import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning } from "../../../adapters/leveldb/maintenance/partials.js";
import { hasCode } from "../../errors.js";
import { errorCode, formatBytes, quotePath } from "../data-folder.js";
import { LaunchError } from "../launch-error.js";
import { removeWhenInterrupted } from "../tools/temporary.js";

/** A copy of a database that only this user can read. */
export interface PrivateCopy {
  readonly file: string;
  remove(): Promise<void>;
}

/** Suffixes of the files of a database. Without its log, recent writes are missing or incomplete. */
const SUFFIXES = ["", "-wal", "-journal"];
/** Prefix of the folder's name, before the ID of the importing process. */
const FOLDER_PREFIX = "activity-server-import-";
const MAX_ATTEMPTS = 20;
const PAUSE_MILLIS = 250;

/**
 * Copies a database with its log and its journal into a new private folder, and repeats this if one of them changed in
 * the meantime. Never changes the original. Removes copies of killed imports.
 *
 * @throws LaunchError if it cannot be read, if there is no space, and if it never stops changing
 */
export async function copyPrivately(database: string): Promise<PrivateCopy> {
  await removeOrphans();
  const folder = await mkdtemp(join(tmpdir(), `${FOLDER_PREFIX}${process.pid}-`));
  const forget = removeWhenInterrupted(folder);
  const remove = async (): Promise<void> => {
    await rm(folder, { recursive: true, force: true });
    forget();
  };
  const file = join(folder, basename(database));
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (attempt > 0) await sleep(PAUSE_MILLIS);
      if (await tryCopy(database, file)) return { file, remove };
    }
    const advice = "stop the program that writes to it, and try again";
    throw new LaunchError(`${quotePath(database)} changes faster than it can be copied; ${advice}`);
  } catch (cause) {
    await remove();
    if (hasCode(cause, "ENOSPC", "EDQUOT")) {
      const { size } = await stat(database);
      const need = `a copy of the database needs ${formatBytes(size)}`;
      throw new LaunchError(`no space in ${quotePath(tmpdir())}: ${need}; choose another folder with TMPDIR`);
    }
    if (cause instanceof Error && "syscall" in cause) {
      throw new LaunchError(`${quotePath(database)} cannot be copied (${errorCode(cause)})`);
    }
    throw cause;
  }
}

/** Removes copies of processes that have ended, because they contain personal data. */
async function removeOrphans(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const pid = Number(name.startsWith(FOLDER_PREFIX) ? name.slice(FOLDER_PREFIX.length).split("-", 1)[0] : Number.NaN);
    if (!Number.isInteger(pid) || pid < 1 || isRunning(pid)) continue;
    // A copy of another user remains.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}

/** @returns whether the copy is consistent */
async function tryCopy(from: string, to: string): Promise<boolean> {
  const before = await readFileStates(from);
  for (const [index, suffix] of SUFFIXES.entries()) {
    await rm(to + suffix, { force: true });
    if (before[index] === undefined) continue;
    try {
      // copyFile() never ends if the file becomes shorter in the meantime.
      await pipeline(createReadStream(from + suffix), createWriteStream(to + suffix, { mode: 0o600 }));
    } catch (cause) {
      // SQLite deletes a journal at the end of its transaction.
      if (suffix !== "" && hasCode(cause, "ENOENT")) return false;
      throw cause;
    }
  }
  const after = await readFileStates(from);
  return before.every((state, index) => state === after[index]);
}

function readFileStates(database: string): Promise<(string | undefined)[]> {
  return Promise.all(
    SUFFIXES.map(async (suffix) => {
      try {
        const { ino, size, mtimeNs } = await stat(database + suffix, { bigint: true });
        return `${ino} ${size} ${mtimeNs}`;
      } catch (cause) {
        if (suffix !== "" && hasCode(cause, "ENOENT")) return undefined;
        throw cause;
      }
    }),
  );
}
