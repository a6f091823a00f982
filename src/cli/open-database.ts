import type { PostgresCommonOptions } from "../../adapters/postgres/index.js";
import type { Storage } from "../storage/storage.js";
import { loadOptional } from "./packages.js";

/** Opens the storage in a database, whose tables are made where they are missing. @throws ActivityError; LaunchError */
export async function openDatabase(connectionString: string, options: PostgresCommonOptions): Promise<Storage> {
  const { postgres } = await import("../../adapters/postgres/index.js");
  const storage = postgres({ connectionString, ...options });
  try {
    await loadOptional(() => storage.ready());
    return storage;
  } catch (error) {
    await storage.close();
    throw error;
  }
}
