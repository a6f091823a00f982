import { stat } from "node:fs/promises";
import {
  DETECTION_CHARACTERS,
  detectKind,
  IMPORTABLE_KINDS,
  isSqlite,
  SQLITE_HEAD_BYTES,
} from "../../foreign/recognize.js";
import { quotePath } from "../data-folder.js";
import { LaunchError } from "../launch-error.js";
import { openBackupSource } from "./backup-source.js";
import { findDatabasesIn, findSettingsFile } from "./find-databases.js";
import { openExportSource } from "./json-source.js";
import { readFirstBytes, readText } from "./read-file.js";
import type { Source } from "./source.js";
import { openSqliteSource } from "./sqlite-source.js";
import { openWholeSource } from "./whole-source.js";

/**
 * Opens an importable file by its content.
 *
 * @param path of a file, or of a folder with an ActivityWatch database
 * @param bucketId for events without a bucket
 * @throws LaunchError for anything else
 */
export async function openSource(path: string, bucketId: string | undefined): Promise<Source> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new LaunchError(`cannot find the file ${quotePath(path)}`);
  const file = found.isDirectory() ? await findOnlyDatabase(path) : path;
  const head = await readFirstBytes(file, SQLITE_HEAD_BYTES);
  if (isSqlite(head)) return openSqliteSource(file, await findSettingsFile(file));
  if (head.length === 0) throw new LaunchError(`${quotePath(file)} is empty`);
  const beginning = await readBeginning(file);
  const kind = detectKind(beginning);
  if (kind === undefined) throw new LaunchError(`${quotePath(file)} cannot be imported; pass ${IMPORTABLE_KINDS}`);
  if (kind === "backup") return openBackupSource(file);
  return kind === "export" ? openExportSource(file, beginning) : openWholeSource(kind, file, bucketId);
}

async function readBeginning(file: string): Promise<string> {
  for await (const text of readText(file)) return text.slice(0, DETECTION_CHARACTERS);
  return "";
}

async function findOnlyDatabase(folder: string): Promise<string> {
  const databases = await findDatabasesIn(folder);
  const [database, other] = databases;
  if (database === undefined) throw new LaunchError(`cannot find an ActivityWatch database in ${quotePath(folder)}`);
  if (other === undefined) return database.file;
  throw new LaunchError(`${quotePath(folder)} contains several databases; choose one with --from`);
}
