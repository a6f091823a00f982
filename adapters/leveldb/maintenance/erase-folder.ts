import fs from "node:fs/promises";
import path from "node:path";
import { ActivityError, hasCode } from "../../../src/errors.js";
import type { LevelDatabase } from "../database.js";
import { exists, syncFolder } from "../file-system.js";
import { CLI_FILES, checkFolder, type FolderLayout, KNOWN_FILES, layoutOf, unusableError } from "../folder.js";

/**
 * Deletes our files in a closed folder, even if it cannot be opened, and the folder if it is then empty.
 *
 * @param name of the folder in messages
 * @param takeLock locks the folder
 * @throws ActivityError `STORAGE_LOCKED`, `STORAGE_UNUSABLE`, `STORAGE_TOO_OLD`, `STORAGE_TOO_NEW`
 */
export async function eraseFolder(
  folder: string,
  name: string,
  takeLock: (layout: FolderLayout) => Promise<LevelDatabase>,
): Promise<void> {
  const layout = await findFolder(folder, name);
  if (layout === undefined) return;
  let lock: LevelDatabase | undefined;
  try {
    lock = await takeLock(layout);
    await eraseContent(layout);
    // While we hold it: afterwards another process may. Windows does not remove an open file.
    await fs.rm(layout.lock, { recursive: true, force: true }).catch(() => undefined);
  } catch (cause) {
    throw ActivityError.is(cause) ? cause : unusableError(name, cause);
  } finally {
    await lock?.close();
  }
  // This fails if other files are in it.
  await fs.rmdir(layout.folder).catch(() => undefined);
}

/** Deletes our files in a locked folder, except the lock. A mark lets the next opening continue after a crash. */
export async function eraseContent({ folder, lock, erasing }: FolderLayout): Promise<void> {
  await fs.writeFile(erasing, "", { mode: 0o600, flush: true });
  await syncFolder(folder);
  // The format and the keys are deleted first.
  for (const name of [...KNOWN_FILES, ...CLI_FILES]) {
    const file = path.join(folder, name);
    if (file !== lock && file !== erasing) await fs.rm(file, { recursive: true, force: true });
  }
  await syncFolder(folder);
  await fs.rm(erasing, { force: true });
  await syncFolder(folder);
}

async function findFolder(folder: string, name: string): Promise<FolderLayout | undefined> {
  if (!(await exists(folder))) return undefined;
  try {
    return await checkFolder(folder, name);
  } catch (cause) {
    if (!hasCode(cause, "STORAGE_CORRUPT")) throw cause;
    return layoutOf(await fs.realpath(folder));
  }
}
