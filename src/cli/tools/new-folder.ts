import { mkdir, readdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "../../../adapters/leveldb/file-system.js";
import type { LevelFolderOptions } from "../../../adapters/leveldb/index.js";
import { createPartialPath, removeLeftovers } from "../../../adapters/leveldb/maintenance/partials.js";
import { hasCode } from "../../errors.js";
import type { Storage } from "../../storage/storage.js";
import { errorCode, quotePath } from "../data-folder.js";
import { LaunchError } from "../launch-error.js";
import { openFolder } from "../open-folder.js";
import { removeWhenInterrupted } from "./temporary.js";

/** A data folder that is to be made. */
export interface NewFolder {
  readonly folder: string;
  readonly options: Omit<LevelFolderOptions, "path">;
  /** What to do when there is something, for the message. */
  readonly advice: string;
}

/**
 * Makes a data folder. One that is not whole yet stands beside its place, so that no server ever starts on half of it.
 *
 * @param fill writes into the storage, and closes it
 * @throws LaunchError for a folder that is not empty
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
  await removeLeftovers(folder);
  const staging = createPartialPath(folder);
  const forget = removeWhenInterrupted(staging);
  try {
    await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
    await mkdir(staging, { mode: 0o700 });
    const filled = await fill(await openFolder(staging, options));
    if (entries !== undefined) await rmdir(folder);
    await rename(staging, folder);
    await syncFolder(dirname(folder));
    return filled;
  } finally {
    await rm(staging, { recursive: true, force: true });
    forget();
  }
}
