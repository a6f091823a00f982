import { stat } from "node:fs/promises";
import { BACKUP_FORMAT } from "../../codec/backup.js";
import { quoted } from "../data-folder.js";
import { LaunchError } from "../launch-error.js";
import { openBackupSource } from "./backup-source.js";
import { openExportSource } from "./json-source.js";
import { findDatabasesIn, settingsFileOf } from "./places.js";
import { firstBytes, readText } from "./read-file.js";
import type { Source } from "./source.js";
import { openSqliteSource } from "./sqlite-source.js";
import { openCsvSource, openListSource, openWakatimeSource } from "./whole-source.js";

/** How every database of SQLite begins. */
const SQLITE = "SQLite format 3\u0000";
const BEGINNING = 64 * 1024;

/**
 * Opens whatever can be imported, by what stands in it.
 *
 * @param path of a file, or of a folder in which a server of ActivityWatch keeps its database
 * @param bucketId for events that name no bucket
 * @throws LaunchError for anything else
 */
export async function openSource(path: string, bucketId: string | undefined): Promise<Source> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new LaunchError(`there is no file ${quoted(path)}`);
  const file = found.isDirectory() ? await onlyDatabase(path) : path;
  const head = await firstBytes(file, SQLITE.length);
  if (head.toString("latin1") === SQLITE) return openSqliteSource(file, await settingsFileOf(file));
  if (head.length === 0) throw new LaunchError(`${quoted(file)} is empty`);
  const beginning = await beginningOf(file);
  if (beginning.startsWith(`{"kind":"backup"`) && beginning.includes(BACKUP_FORMAT)) return openBackupSource(file);
  if (/^\s*(\[|\{\s*"buckets"\s*:\s*\[)/.test(beginning)) return openListSource(file, bucketId);
  if (/^\s*\{\s*("(user|range|days)"\s*:|"data"\s*:\s*\[)/.test(beginning)) return openWakatimeSource(file);
  if (/^\s*\{/.test(beginning)) return openExportSource(file, beginning);
  if (/^[^\n]*[,;\t]/.test(beginning)) return openCsvSource(file, bucketId);
  const known = "a database or an export of ActivityWatch, a backup, a dump of WakaTime, or CSV with a header";
  throw new LaunchError(`${quoted(file)} is none of what can be imported: ${known}`);
}

async function beginningOf(file: string): Promise<string> {
  for await (const text of readText(file)) return text.slice(0, BEGINNING);
  return "";
}

async function onlyDatabase(folder: string): Promise<string> {
  const databases = await findDatabasesIn(folder);
  const [database, other] = databases;
  if (database === undefined) throw new LaunchError(`there is no database of ActivityWatch in ${quoted(folder)}`);
  if (other === undefined) return database.file;
  throw new LaunchError(`there are several databases in ${quoted(folder)}: --from names one of them`);
}
