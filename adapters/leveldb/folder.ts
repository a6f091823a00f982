import { realpathSync } from "node:fs";
import fs from "node:fs/promises";
import path from "node:path";
import { ActivityError, errorCode, hasCode, messageOf, storageFull } from "../../src/errors.js";
import { isFull } from "../segments/failures.js";
import { corrupt } from "../segments/state.js";
import { exists, syncFolder } from "./file-system.js";
import { readFormat, tooOld, writeFormat } from "./format-file.js";
import { KEY_FILES } from "./key-files.js";
import { logNumber, tableNumber } from "./level-files.js";

/** The paths in a folder. */
export interface FolderLayout {
  readonly folder: string;
  /** The database. */
  readonly db: string;
  /** The log. */
  readonly wal: string;
  /** The lock. */
  readonly lock: string;
  /** Links to the files of the database while it is being opened. */
  readonly aside: string;
  /** Damaged files, kept for salvage. */
  readonly damaged: string;
  /** This file exists while all others are being deleted. */
  readonly erasing: string;
}

/** The same path for all paths to one folder, whether the folder exists or not. */
export function realPath(folder: string): string {
  const missing: string[] = [];
  let level = path.resolve(folder);
  for (;;) {
    try {
      return path.join(realpathSync.native(level), ...missing);
    } catch {
      if (path.dirname(level) === level) return path.resolve(folder);
      missing.unshift(path.basename(level));
      level = path.dirname(level);
    }
  }
}

/** The layout of format 2. */
export function layoutOf(folder: string): FolderLayout {
  return {
    folder,
    db: path.join(folder, "db"),
    wal: path.join(folder, "wal"),
    lock: path.join(folder, "lock"),
    aside: path.join(folder, "aside"),
    damaged: path.join(folder, "damaged"),
    erasing: path.join(folder, "erasing"),
  };
}

/** The files that we create in a folder. */
export const KNOWN_FILES: ReadonlySet<string> = new Set([
  ...["FORMAT", ...KEY_FILES].flatMap((file) => [file, `${file}.new`]),
  ...["db", "wal", "lock", "aside", "aside.new", "damaged", "reserve", "reserve.new", "clean"],
  ...["erasing", "erasing.new"],
]);
/** Files of the CLI. */
export const CLI_FILES: readonly string[] = ["server.json", "api-key"];
/** Files that may also be in a folder without data. */
const HARMLESS_FILES = new Set([...CLI_FILES, "lost+found"]);

/** The state of a folder. */
export interface CheckedFolder extends FolderLayout {
  /** Whether nothing was ever acknowledged in it. An interrupted first start may have left files. */
  readonly isNew: boolean;
  /** Whether its file FORMAT is damaged, or missing although data exist. */
  readonly needsFormat: boolean;
  /** Whether its data are encrypted according to FORMAT; `undefined` if that is unknown. */
  readonly isEncrypted: boolean | undefined;
  /** Whether a deletion was interrupted: the rest must be deleted first. */
  readonly isErasing?: boolean;
}

/**
 * Creates a folder if it is missing, and checks its contents. Changes nothing in it, because another process may be
 * using it.
 *
 * @param name of the folder in messages
 * @throws ActivityError `STORAGE_UNUSABLE`, `STORAGE_FULL`, `STORAGE_TOO_OLD`, `STORAGE_TOO_NEW`, `STORAGE_CORRUPT`
 */
export async function checkFolder(folder: string, name: string): Promise<CheckedFolder> {
  try {
    const layout = layoutOf(await createFolder(folder));
    if (await exists(layout.erasing)) {
      return { isNew: true, needsFormat: true, isEncrypted: undefined, isErasing: true, ...layout };
    }
    const format = await readFormat(layout.folder, name);
    if (format === "missing")
      return { isNew: await isUnused(layout, name), needsFormat: true, isEncrypted: undefined, ...layout };
    if (!(await exists(path.join(layout.db, "CURRENT"))))
      throw corrupt(name, "the file CURRENT of its database is missing");
    const isEncrypted = format === "damaged" ? undefined : format === "encrypted";
    return { isNew: false, needsFormat: format === "damaged", isEncrypted, ...layout };
  } catch (cause) {
    if (ActivityError.is(cause)) throw cause;
    throw unusableError(name, cause);
  }
}

/**
 * Creates the missing parts of a new folder and forces them to the disk. Restricts existing ones to their owner:
 * LevelDB creates files that every user can read.
 */
export async function makeFolders({ folder, db, wal, lock, aside, damaged }: FolderLayout): Promise<void> {
  let isNew = false;
  for (const each of [db, wal]) {
    if ((await fs.mkdir(each, { recursive: true, mode: 0o700 })) !== undefined) isNew = true;
  }
  if (isNew) await syncFolder(folder);
  await Promise.all([db, wal, lock, aside, damaged].map(restrictToOwner));
}

/** Removes keys from an interrupted first start: nothing was ever encrypted with them. */
export async function removeUnusedKeys({ folder }: FolderLayout): Promise<void> {
  for (const file of KEY_FILES) await fs.rm(path.join(folder, file), { force: true });
}

/** Removes the files of a database, except its lock, which another process may hold. */
export async function removeDatabase(location: string): Promise<void> {
  const files = (await fs.readdir(location)).filter((file) => file !== "LOCK");
  for (const file of files) await fs.rm(path.join(location, file), { recursive: true, force: true });
}

/** Restricts our folder to its owner. Best effort: volumes without modes, or of another user, work as well. */
async function restrictToOwner(folder: string): Promise<void> {
  const stats = await fs.stat(folder).catch(() => undefined);
  if (stats === undefined || (stats.mode & 0o077) === 0 || stats.uid !== process.getuid?.()) return;
  await fs.chmod(folder, stats.mode & 0o7700).catch(() => undefined);
}

/** Marks a folder as ours, once all its other files are on the disk. */
export async function claimFolder({ folder }: FolderLayout, isEncrypted: boolean): Promise<void> {
  await writeFormat(folder, isEncrypted);
  await syncFolder(path.dirname(folder)).catch(ignoreForbidden);
  // Any of these folders may have been created together with ours.
  for (let level = path.dirname(folder); level !== path.dirname(level); level = path.dirname(level)) {
    await syncFolder(path.dirname(level)).catch(() => undefined);
  }
}

/** Ignores a folder that cannot be read, and so cannot be forced: it is older than its contents. */
function ignoreForbidden(cause: unknown): void {
  if (!hasCode(cause, "EACCES", "EPERM")) throw cause;
}

/** The error of a folder that cannot be created, read or written, or contains other data. */
export function unusableError(name: string, cause: unknown): ActivityError {
  if (isFull(cause)) return storageFull({ cause });
  const reason = messageOf(cause);
  const remedy = REMEDIES[errorCode(cause)] ?? "choose another";
  return new ActivityError("STORAGE_UNUSABLE", `${name} cannot be used: ${reason}; ${remedy}`, { cause });
}

const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: "correct its permissions, or choose another folder",
  EPERM: "correct its permissions, or choose another folder",
  EIO: "check the disk, then start again",
};

/** Creates a missing folder level by level: Node's recursive call never ends under some virtual roots. */
async function createFolder(folder: string): Promise<string> {
  const missing: string[] = [];
  let level = path.resolve(folder);
  while (!(await exists(level))) {
    missing.unshift(level);
    level = path.dirname(level);
  }
  for (const each of missing) await fs.mkdir(each, { mode: 0o700 }).catch(ignoreExisting);
  const location = await fs.realpath(folder);
  if (!(await fs.stat(location)).isDirectory()) throw new Error("it is not a folder");
  await fs.access(location, fs.constants.R_OK | fs.constants.W_OK);
  return location;
}

/** Ignores a folder that exists: another process may have created it at the same time. */
function ignoreExisting(cause: unknown): void {
  if (!hasCode(cause, "EEXIST")) throw cause;
}

/**
 * Checks a folder without FORMAT. It is new, its first start was interrupted and runs again, or FORMAT was lost, which
 * only matters if there are data.
 *
 * @returns whether nothing was ever acknowledged in it
 */
async function isUnused(layout: FolderLayout, name: string): Promise<boolean> {
  const files = (await fs.readdir(layout.folder)).filter((file) => !file.startsWith("."));
  if (files.includes("CURRENT") && files.some((file) => /^MANIFEST-|\.ldb$|\.log$/.test(file))) throw tooOld(name);
  const foreign = files.find((file) => !KNOWN_FILES.has(file) && !HARMLESS_FILES.has(file));
  if (foreign !== undefined) {
    throw new ActivityError(
      "STORAGE_UNUSABLE",
      `${name} contains other files, such as ${foreign}; choose another folder`,
    );
  }
  const wal = await fs.readdir(layout.wal).catch(() => []);
  const hasData = wal.some((file) => file.endsWith(".wal")) || (await hasCommits(layout.db));
  return !hasData;
}

/** Whether LevelDB's files contain anything: it creates them, with an empty log, before the first commit. */
async function hasCommits(db: string): Promise<boolean> {
  for (const file of await fs.readdir(db).catch(() => [])) {
    if (tableNumber(file) !== undefined) return true;
    if (logNumber(file) === undefined) continue;
    const { size } = await fs.stat(path.join(db, file)).catch(() => ({ size: 0 }));
    if (size > 0) return true;
  }
  return false;
}

/** Where else a folder is open: in another process, in another thread, or with other options. */
export type Holder = "process" | "thread" | "options";

/** Descriptions and remedies. */
const HOLDERS: Readonly<Record<Holder, string>> = {
  process: "open in another process; stop that one or choose another folder",
  thread:
    "already open in this process, in another thread or by a database of your app; open it in only one place, or " +
    "choose another folder",
  options:
    "already open in this process, with other options; pass the same options, close that storage first, or choose " +
    "another folder",
};

/** The error of a folder that is open elsewhere. */
export function lockedError(name: string, holder: Holder): ActivityError {
  return new ActivityError("STORAGE_LOCKED", `${name} is ${HOLDERS[holder]}`);
}
