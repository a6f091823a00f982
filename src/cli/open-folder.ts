import type { LevelFolderOptions } from "../../adapters/leveldb/index.js";
import type { Storage } from "../storage/storage.js";
import { openStorage } from "./open-storage.js";
import { loadOptional } from "./packages.js";

/** Opens the storage in a folder, which is created if it is missing. @throws ActivityError; LaunchError */
export async function openFolder(path: string, options: Omit<LevelFolderOptions, "path"> = {}): Promise<Storage> {
  const { leveldb } = await loadOptional(() => import("../../adapters/leveldb/index.js"));
  return openStorage(leveldb({ path, ...options }));
}
