import fs from "node:fs/promises";
import path from "node:path";
import { ActivityError } from "../../src/errors.js";
import type { Durability } from "../../src/storage.js";
import { type LevelDatabase, type TextDatabase, textDatabase } from "./database.js";
import { type JournaledDatabase, journaled } from "./journal.js";
import { journalFiles } from "./journal-files.js";
import { FORMAT } from "./layout.js";
import { tooNew } from "./state.js";

/** An open folder. */
export interface OpenFolder {
  /** With everything that was acknowledged, by an earlier process as well. */
  readonly database: TextDatabase;
  /** What to call it in messages. */
  readonly name: string;
  /** Marks the folder as ours, once its content has turned out to be. */
  claim(): Promise<void>;
  release(): Promise<void>;
}

/** What a folder may hold, besides hidden files, that has no data yet. */
const EMPTY_FOLDER_FILES = new Set(["FORMAT", "LOCK", "LOG", "LOG.old", "lost", "lost+found"]);

/** The engine's cache of blocks as they are on disk: small, since segments are cached decoded. */
const ENGINE_CACHE_BYTES = 1024 * 1024;
/** The engine maps each file that it has open into memory: so few, so small ones. It takes no fewer than 74. */
const MOST_FILES = 74;
const FILE_BYTES = 1024 * 1024;

/** Says which format a folder has, so that a folder of a later one is left alone before any engine touches it. */
const FORMAT_FILE = "FORMAT";

/**
 * Folders that this process has open. LevelDB would refuse a second opening, too, but by trying it gives the first
 * one's lock away. Kept on the global object, since two builds of this module can meet in one process.
 */
const OPEN_FOLDERS = Symbol.for("activity-server.leveldb.open-folders");
const registry = globalThis as { [OPEN_FOLDERS]?: Set<string> };
registry[OPEN_FOLDERS] ??= new Set();
const openFolders: Set<string> = registry[OPEN_FOLDERS];

/** @throws ActivityError as `leveldb()` does */
export async function openFolder(folder: string, durability: Durability): Promise<OpenFolder> {
  const name = `folder ${path.resolve(folder)}`;
  const newEngine = await loadEngine();
  const location = await prepareFolder(folder, name);
  if (openFolders.has(location)) throw locked(name, "this process");
  openFolders.add(location);
  try {
    await checkContent(location, name).catch((cause: unknown) => {
      throw ActivityError.is(cause) ? cause : unusable(name, cause);
    });
    const engine = await openEngine(newEngine(location), location, name);
    const database = await openJournal(engine, location, durability).catch(async (cause: unknown) => {
      await engine.close();
      throw corrupt(name, location, "its journal cannot be carried over", cause);
    });
    return {
      database,
      name,
      claim: () => writeFormatFile(location, name),
      async release() {
        // What does not get over stays in the journal.
        await database.settle().catch(() => undefined);
        await engine.close();
        openFolders.delete(location);
      },
    };
  } catch (thrown) {
    openFolders.delete(location);
    throw thrown;
  }
}

function locked(name: string, by: string): ActivityError {
  return new ActivityError("STORAGE_LOCKED", `${name} is open in ${by}; stop that one or choose another folder`);
}

function unusable(name: string, cause: unknown): ActivityError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const way = "choose another folder, or mend its permissions";
  return new ActivityError("STORAGE_UNUSABLE", `${name} cannot be used: ${reason}; ${way}`, { cause });
}

/** Makes the folder where it is missing, level by level: Node's own way down never ends under some virtual roots. */
async function prepareFolder(folder: string, name: string): Promise<string> {
  try {
    const missing: string[] = [];
    let existing = path.resolve(folder);
    while (!(await exists(existing))) {
      missing.unshift(existing);
      existing = path.dirname(existing);
    }
    for (const level of missing) await fs.mkdir(level, { mode: 0o700 });
    const location = await fs.realpath(folder);
    if (!(await fs.stat(location)).isDirectory()) throw new Error("it is not a folder");
    await fs.access(location, fs.constants.R_OK | fs.constants.W_OK);
    return location;
  } catch (cause) {
    throw unusable(name, cause);
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await fs.stat(file);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw cause;
  }
}

/** Looks at a folder before the engine does: what the engine cannot make sense of it would clear away. */
async function checkContent(location: string, name: string): Promise<void> {
  const files = await fs.readdir(location);
  if (files.includes(FORMAT_FILE)) {
    const format = (await fs.readFile(path.join(location, FORMAT_FILE), "utf8")).trim();
    // Empty after a power cut in the middle of writing it; the records in the database say the same.
    if (format !== "" && format !== String(FORMAT)) throw new ActivityError("STORAGE_TOO_NEW", tooNew(name, format));
  }
  if (files.includes("CURRENT")) return checkCurrent(location, files, name);
  if (files.some((file) => /^MANIFEST-|\.(ldb|sst|log)$/.test(file))) {
    throw corrupt(name, location, "its file CURRENT is missing");
  }
  const foreign = files.find((file) => !file.startsWith(".") && !EMPTY_FOLDER_FILES.has(file));
  if (foreign === undefined) return;
  throw new ActivityError("STORAGE_UNUSABLE", `${name} holds other files, such as ${foreign}; choose another folder`);
}

/** CURRENT names the file with which everything begins. */
async function checkCurrent(location: string, files: readonly string[], name: string): Promise<void> {
  const manifest = (await fs.readFile(path.join(location, "CURRENT"), "utf8")).trimEnd();
  if (!/^MANIFEST-\d+$/.test(manifest)) throw corrupt(name, location, "its file CURRENT is garbled");
  if (!files.includes(manifest)) throw corrupt(name, location, `its file ${manifest} is missing`);
}

function corrupt(name: string, location: string, reason: string, cause?: unknown): ActivityError {
  const repair = `node -e 'require("classic-level").ClassicLevel.repair(${JSON.stringify(location)})'`;
  const way = `restore a backup, or copy the folder and then run ${repair}`;
  return new ActivityError("STORAGE_CORRUPT", `${name} is damaged: ${reason}; ${way}`, { cause });
}

async function openEngine(database: LevelDatabase, location: string, name: string): Promise<LevelDatabase> {
  try {
    await database.open();
    return database;
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
    const { code = "", message = String(cause) } = cause as NodeJS.ErrnoException;
    if (code === "LEVEL_LOCKED") throw locked(name, "another process");
    if (code === "LEVEL_CORRUPTION" || /corruption/i.test(message)) throw corrupt(name, location, message, thrown);
    throw unusable(name, cause);
  }
}

/** What is forced to the disk goes to the engine alone, whose thread waits for it. */
async function openJournal(
  engine: LevelDatabase,
  location: string,
  durability: Durability,
): Promise<JournaledDatabase> {
  const plain = textDatabase(engine, durability);
  const database = await journaled(plain, journalFiles(location));
  if (durability === "process-crash") return database;
  await database.settle();
  return { ...plain, settle: async () => undefined };
}

/** Before anything else: without an engine not even the folder is to be made. */
async function loadEngine(): Promise<(location: string) => LevelDatabase> {
  try {
    const { ClassicLevel } = await import("classic-level");
    return (location) =>
      new ClassicLevel(location, { cacheSize: ENGINE_CACHE_BYTES, maxOpenFiles: MOST_FILES, maxFileSize: FILE_BYTES });
  } catch (cause) {
    const message = "storage in a folder needs the package classic-level: npm install classic-level";
    throw new ActivityError("STORAGE_UNUSABLE", message, { cause });
  }
}

async function writeFormatFile(location: string, name: string): Promise<void> {
  try {
    const file = path.join(location, FORMAT_FILE);
    if ((await exists(file)) && (await fs.stat(file)).size > 0) return;
    await fs.writeFile(file, `${FORMAT}\n`, { mode: 0o600 });
  } catch (cause) {
    throw unusable(name, cause);
  }
}
