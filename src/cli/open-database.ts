import type { Migrated, PostgresCommonOptions } from "../../adapters/postgres/index.js";
import type { Storage } from "../storage/storage.js";
import { openStorage } from "./open-storage.js";

/** Opens the storage in a database, and creates missing tables. @throws ActivityError; LaunchError */
export async function openDatabase(connectionString: string, options: PostgresCommonOptions): Promise<Storage> {
  const { postgres } = await import("../../adapters/postgres/index.js");
  return openStorage(postgres({ connectionString, ...options }));
}

/** Creates or updates the tables of a database. @throws ActivityError */
export async function migrateDatabase(connectionString: string): Promise<Migrated> {
  const { migrate } = await import("../../adapters/postgres/index.js");
  return migrate({ connectionString });
}
