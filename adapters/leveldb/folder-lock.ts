import fs from "node:fs/promises";
import type { LevelDatabase } from "./database.js";
import { isLocked } from "./engine-failure.js";
import { removeDatabase } from "./folder.js";

/**
 * Keeps a folder for one process, from before anything in it changes until it is closed.
 *
 * Node cannot lock files, but LevelDB does, so a database without data is kept open for its lock. The lock of the
 * database with the data comes too late, since its files are prepared before it opens, and it is lost while that
 * database is closed and opened again after a failure.
 *
 * @param location of the lock, which is created if it is missing
 * @param engine makes a database that is not open
 * @param failureOf turns what the engine threw into an error for callers
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
    // A power cut may have damaged it. It contains no data, and its lock stays: another process may hold that by now.
    await removeDatabase(location);
    return await open();
  }
}
