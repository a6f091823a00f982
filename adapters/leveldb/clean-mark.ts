import fs from "node:fs/promises";
import path from "node:path";
import { crc32, sumText } from "../segments/checksum.js";
import type { FolderLayout } from "./folder.js";
import { isLevelFile } from "./level-files.js";

/** A file that is there while the folder is not open and was closed properly. */
const NAME = "clean";
/** The files of a database up to this size together are summed, which takes some milliseconds. */
const SUMMED_BYTES = 16 * 1024 * 1024;

/** How a folder was left. */
export type LeftState = "unclean" | "clean" | "unchanged";

/**
 * How a folder was left. `clean`: it was closed properly. `unchanged`: besides, every file of its database is, byte by
 * byte, what it was then, so that nothing of it needs to be proved again.
 */
export async function leftState(layout: FolderLayout): Promise<LeftState> {
  const text = await fs.readFile(markOf(layout), "utf8").catch(() => undefined);
  if (text === undefined) return "unclean";
  return text !== "" && text === (await sumsOf(layout.db)) ? "unchanged" : "clean";
}

/** The folder is open from now on. */
export function removeMark(layout: FolderLayout): Promise<void> {
  return fs.rm(markOf(layout), { force: true });
}

/**
 * The folder was closed properly. Nothing is lost when that cannot be written: the next opening looks at everything.
 */
export async function writeMark(layout: FolderLayout): Promise<void> {
  const text = await sumsOf(layout.db).catch(() => "");
  await fs.writeFile(markOf(layout), text, { mode: 0o600 }).catch(() => undefined);
}

function markOf({ folder }: FolderLayout): string {
  return path.join(folder, NAME);
}

/** A line for each file that LevelDB reads, in the order of their names; empty for a large database. */
async function sumsOf(db: string): Promise<string> {
  const names = (await fs.readdir(db)).filter(isLevelFile).sort();
  const sizes = await Promise.all(names.map(async (name) => (await fs.stat(path.join(db, name))).size));
  if (sizes.reduce((sum, size) => sum + size, 0) > SUMMED_BYTES) return "";
  const lines = names.map(async (name) => {
    const content = await fs.readFile(path.join(db, name));
    return `${name} ${content.length} ${sumText(crc32(content))}\n`;
  });
  return (await Promise.all(lines)).join("");
}
