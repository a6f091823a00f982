import { mkdir, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import path from "node:path";
import { ActivityError } from "../../../src/errors.js";
import { createKeySource, type EncryptionOptions } from "../../segments/encryption.js";
import { PLAIN_GATE, PLAIN_VALUES, type ValueOpener, Vault } from "../../segments/vault.js";
import { exists, syncFolder } from "../file-system.js";
import { type FormatState, readFormat, tooOld } from "../format-file.js";
import { leveldb } from "../index.js";
import { readKeys } from "../key-files.js";
import { createPartialPath, removeLeftovers } from "./partials.js";
import { DatabaseSalvage, findDatabases } from "./salvage-database.js";
import { findCommitNumber } from "./salvage-log.js";
import { findLogs } from "./salvage-wal.js";
import { rebuild, type SalvageProgress, type SalvageReport } from "./salvage-write.js";

/** The options of a salvage. */
export interface SalvageOptions {
  /** The damaged folder. It must not be open anywhere, and stays unchanged. */
  readonly path: string;
  /** The target folder: new or empty. Needs about as much space. */
  readonly to: string;
  /** The key of an encrypted folder. The new one is encrypted with it as well. */
  readonly encryption?: EncryptionOptions | undefined;
  /** Called from time to time. */
  readonly onProgress?: ((progress: SalvageProgress) => void) | undefined;
  /** Called with each folder that is created and removed again, for cleanup after an interruption. */
  readonly onTemporary?: ((folder: string) => void) | undefined;
}

/**
 * Saves everything readable of a damaged folder into a new one: every value with a valid checksum, even from a database
 * that LevelDB no longer opens, and all readable records of all log files, including damaged ones.
 *
 * @returns the saved and lost data
 * @throws ActivityError `STORAGE_UNUSABLE` for a folder without our data, one with another key, or a target
 *   that is not empty; `STORAGE_CORRUPT` for an encrypted one whose keys are lost;
 *   `STORAGE_TOO_OLD`, `STORAGE_TOO_NEW`; errors of writing
 */
export async function salvage(options: SalvageOptions): Promise<SalvageReport> {
  const { onProgress, onTemporary = () => {} } = options;
  const source = path.resolve(options.path);
  const target = path.resolve(options.to);
  if (isInside(target, source))
    throw unusableError(`folder ${target} is inside the damaged folder; choose another one`);
  const format = await readFolderFormat(source);
  const values = await createOpener(source, format, options.encryption);
  const [databases, logs] = [await findDatabases(source), await findLogs(source, values)];
  if (databases.length === 0 && logs.length === 0)
    throw unusableError(`folder ${source} contains no data of activity-server`);
  const isThere = await assertEmpty(target);
  await removeLeftovers(target);
  const staging = createPartialPath(target);
  const workFolder = `${staging}.work`;
  for (const folder of [staging, workFolder]) onTemporary(folder);
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const folders = databases.map((folder) => path.join(source, folder));
  const database = new DatabaseSalvage(folders, workFolder, { committed: findCommitNumber(logs), values });
  try {
    const fragments = { ...(await database.read()), logs };
    const { encryption } = options;
    const storage = leveldb({ path: staging, ...(encryption && { encryption }) });
    let report: SalvageReport;
    try {
      // Creates the storage even if there is nothing to write.
      await storage.ready();
      report = await rebuild(fragments, storage, onProgress);
    } finally {
      await storage.close();
    }
    if (isThere) await rmdir(target);
    await rename(staging, target);
    await syncFolder(path.dirname(target));
    return report;
  } finally {
    await database.close();
    for (const folder of [staging, workFolder]) await rm(folder, { recursive: true, force: true });
  }
}

/** Reads the format. An unreadable one counts as damaged, but another format is refused. */
async function readFolderFormat(source: string): Promise<FormatState> {
  const found = await stat(source).catch(() => undefined);
  if (!found?.isDirectory()) throw unusableError(`folder ${source} does not exist`);
  let format: FormatState = "damaged";
  try {
    format = await readFormat(source, `folder ${source}`);
  } catch (thrown) {
    if (ActivityError.is(thrown)) throw thrown;
  }
  // The database of format 1 was in the folder itself.
  if (await exists(path.join(source, "CURRENT"))) throw tooOld(`folder ${source}`);
  return format;
}

/** Decrypts the values of the damaged folder. */
async function createOpener(
  source: string,
  format: FormatState,
  encryption: EncryptionOptions | undefined,
): Promise<ValueOpener> {
  const name = `folder ${source}`;
  const isEncrypted = format === "encrypted" || (format === "plain" ? false : undefined);
  const { ring } = await readKeys({ folder: source, isNew: false, isEncrypted }, name);
  const vault = encryption && new Vault(createKeySource(encryption));
  await (vault ?? PLAIN_GATE).pass(ring, { name, isNew: false });
  return vault ?? PLAIN_VALUES;
}

/** @returns whether the folder exists */
async function assertEmpty(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined) return false;
  if (found.isDirectory() && (await readdir(folder)).length === 0) return true;
  throw unusableError(`${folder} is not an empty folder; choose a new one`);
}

function isInside(inner: string, outer: string): boolean {
  return `${inner}${path.sep}`.startsWith(`${outer}${path.sep}`);
}

function unusableError(message: string): ActivityError {
  return new ActivityError("STORAGE_UNUSABLE", message);
}
