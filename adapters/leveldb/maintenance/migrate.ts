import path from "node:path";
import { ActivityError } from "../../../src/errors.js";
import type { Storage } from "../../../src/storage/storage.js";
import { exists } from "../file-system.js";

/** Opens and closes a folder, which converts it. @throws ActivityError `STORAGE_UNUSABLE` if it does not exist */
export async function migrate(folder: string, storage: Storage): Promise<void> {
  try {
    // Opening would create it.
    if (!(await exists(folder))) {
      throw new ActivityError(
        "STORAGE_UNUSABLE",
        `folder ${path.resolve(folder)} does not exist; pass an existing one`,
      );
    }
    await storage.ready();
  } finally {
    await storage.close();
  }
}
