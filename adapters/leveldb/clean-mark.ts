import fs from "node:fs/promises";
import path from "node:path";
import { crc32, sumText } from "../segments/checksum.js";
import type { FolderLayout } from "./folder.js";
import { isLevelFile } from "./level-files.js";

/** This file exists only while the folder is properly closed. */
const NAME = "clean";
/** Database files up to this total size are checksummed, which takes some milliseconds. */
const SUMMED_BYTES = 16 * 1024 * 1024;

/** How the folder was closed. */
export type CloseState = "unclean" | "clean" | "unchanged";

/**
 * Reads how a folder was closed. `clean`: properly. `unchanged`: in addition, every file of its database is byte by
 * byte the same, so none needs another check.
 */
export async function readCloseState(layout: FolderLayout): Promise<CloseState> {
  const text = await fs.readFile(markPath(layout), "utf8").catch(() => undefined);
  if (text === undefined) return "unclean";
  return text !== "" && text === (await readChecksums(layout.db)) ? "unchanged" : "clean";
}

/** Marks the folder as open, or not properly closed. */
export function removeMark(layout: FolderLayout): Promise<void> {
  return fs.rm(markPath(layout), { force: true });
}

/** Marks the folder as properly closed. Without the mark, the next opening just checks everything. */
export async function writeMark(layout: FolderLayout): Promise<void> {
  const text = await readChecksums(layout.db).catch(() => "");
  await fs.writeFile(markPath(layout), text, { mode: 0o600 }).catch(() => undefined);
}

function markPath({ folder }: FolderLayout): string {
  return path.join(folder, NAME);
}

/** Checksums all files that LevelDB reads: a line for each, sorted by name; empty for a large database. */
async function readChecksums(db: string): Promise<string> {
  const names = (await fs.readdir(db)).filter(isLevelFile).sort();
  const sizes = await Promise.all(names.map(async (name) => (await fs.stat(path.join(db, name))).size));
  if (sizes.reduce((sum, size) => sum + size, 0) > SUMMED_BYTES) return "";
  const lines = names.map(async (name) => {
    const content = await fs.readFile(path.join(db, name));
    return `${name} ${content.length} ${sumText(crc32(content))}\n`;
  });
  return (await Promise.all(lines)).join("");
}
