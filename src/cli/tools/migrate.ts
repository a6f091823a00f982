import type { CommandOptions } from "../command-options.js";
import { readEncryption } from "../encryption-key.js";
import { migrateDatabase } from "../open-database.js";
import { parseDatabaseUrl } from "../options.js";
import { loadOptional } from "../packages.js";
import type { Report } from "./report.js";
import { refuseMissing, refuseServer } from "./target.js";

export async function migrate({ place }: CommandOptions<"migrate">, report: Report): Promise<number> {
  if (place.kind === "database") {
    const { from, to } = await loadOptional(() => migrateDatabase(parseDatabaseUrl(place.url)));
    const text = from === to ? `the tables have all migrations (${to})` : `applied migrations ${from + 1} to ${to}`;
    report.event("migrated", { from, to }, text);
    return 0;
  }
  const { path, key } = place;
  await refuseMissing(path);
  await refuseServer(path);
  const { migrate: convert } = await loadOptional(() => import("../../../adapters/leveldb/index.js"));
  await convert({ path, ...(await readEncryption(key)) });
  report.event("migrated", { data: path }, `${path} has the current format`);
  return 0;
}
