import type { Storage } from "../storage/storage.js";
import { loadOptional } from "./packages.js";

/** Opens a storage, and closes it if that fails. @throws ActivityError; LaunchError */
export async function openStorage(storage: Storage): Promise<Storage> {
  try {
    await loadOptional(() => storage.ready());
    return storage;
  } catch (error) {
    await storage.close();
    throw error;
  }
}
