import fs from "node:fs/promises";
import type { LevelDatabase } from "./database.js";
import { isLocked } from "./engine-failure.js";
import { removeDatabase } from "./folder.js";

/**
 * Keeps a folder for one process, from before its first change until it is closed.
 *
 * Node cannot lock files, but LevelDB can, so an empty database stays open for its lock. The lock of the data's
 * database is not enough: its files are prepared before it opens, and it is released while that database is reopened
 * after a failure.
 *
 * @param location of the lock, which is created if it is missing
 * @param engine creates a database that is not open yet
 * @param failureOf converts an engine error to an error for callers
 */
export async function takeLock(
  location: string,
  engine: (location: string) => LevelDatabase,
  failureOf: (thrown: unknown) => unknown,
): Promise<LevelDatabase> {
  await fs.mkdir(location, { recursive: true, mode: 0o700 });
  const open = async (): Promise<LevelDatabase> => {
    const database = engine(location);
    try {
      await database.open();
      return database;
    } catch (thrown) {
      throw failureOf(thrown);
    }
  };
  try {
    return await open();
  } catch (failure) {
    if (isLocked(failure)) throw failure;
    // A power cut may have damaged it. It contains no data. Its lock file stays, because another process may hold that
    // lock now.
    await removeDatabase(location);
    return await open();
  }
}
