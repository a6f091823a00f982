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

/** A copy of a database that nobody else sees. */
export interface PrivateCopy {
  readonly file: string;
  remove(): Promise<void>;
}

/** Files that belong to a database: without them it misses what was written last, or holds half of it. */
const SUFFIXES = ["", "-wal", "-journal"];
/** What its folder is called before the id of the process that reads it. */
const FOLDER_PREFIX = "activity-server-import-";
const MAX_ATTEMPTS = 20;
const PAUSE_MILLIS = 250;

/**
 * Copies a database with its log and its journal into a new folder that only this user can read; once more when one of
 * them changed meanwhile. The original is only read. Copies that imports have left when they were killed are removed.
 *
 * @throws LaunchError when it cannot be read, when there is no space, and when it never stands still
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

/** Removes the copies of processes that are gone: nobody else would, and they hold all that somebody did. */
async function removeOrphans(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    const pid = Number(name.startsWith(FOLDER_PREFIX) ? name.slice(FOLDER_PREFIX.length).split("-", 1)[0] : Number.NaN);
    if (!Number.isInteger(pid) || pid < 1 || isRunning(pid)) continue;
    // That of another user stays; it is not ours to remove.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}

/** @returns whether all of it is of one moment */
async function tryCopy(from: string, to: string): Promise<boolean> {
  const before = await readFileStates(from);
  for (const [index, suffix] of SUFFIXES.entries()) {
    await rm(to + suffix, { force: true });
    if (before[index] === undefined) continue;
    try {
      // copyFile() never ends when the file becomes shorter meanwhile.
      await pipeline(createReadStream(from + suffix), createWriteStream(to + suffix, { mode: 0o600 }));
    } catch (cause) {
      // A journal goes when its transaction is through.
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
