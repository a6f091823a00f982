import { mkdir, readdir, rename, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../../../adapters/leveldb/file-system.js";
import type { LevelFolderOptions } from "../../../adapters/leveldb/index.js";
import { hasCode } from "../../errors.js";
import type { Storage } from "../../storage/storage.js";
import { errorCode, quotePath } from "../data-folder.js";
import { LaunchError } from "../launch-error.js";
import { openFolder } from "../open-folder.js";
import { withPartial } from "./temporary.js";

export interface NewFolder {
  readonly folder: string;
  readonly options: Omit<LevelFolderOptions, "path">;
  /** Advice for the message if the folder is not empty. */
  readonly advice: string;
}

/**
 * Creates a data folder under a temporary name and renames it when it is complete: no server starts on half of it.
 *
 * @param fill writes into the storage, and closes it
 * @throws LaunchError if the folder is not empty
 */
export async function createDataFolder<T>(
  { folder, options, advice }: NewFolder,
  fill: (storage: Storage) => Promise<T>,
): Promise<T> {
  const entries = await readdir(folder).catch((cause: unknown) => {
    if (hasCode(cause, "ENOENT")) return undefined;
    throw new LaunchError(`${quotePath(folder)} cannot be read (${errorCode(cause)})`);
  });
  if (entries !== undefined && entries.length > 0) {
    throw new LaunchError(`the folder ${quotePath(folder)} is not empty; ${advice}`);
  }
  return withPartial(folder, async (staging) => {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    await mkdir(staging, { mode: 0o700 });
    const filled = await fill(await openFolder(staging, options));
    if (entries !== undefined) await rmdir(folder);
    await rename(staging, folder);
    await syncFolder(dirname(folder));
    return filled;
  });
}
