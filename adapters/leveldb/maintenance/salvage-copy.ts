import { copyFile, link, mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { ClassicLevel } from "classic-level";
import { isLevelFile, tableNumber } from "../level-files.js";
import { readTable } from "./salvage-table.js";
import { stateOfTable } from "./table-check.js";

/** Keys of root, records, entries and segments. */
const OUR_KEY = /^[mrgd]!/;

/** Copies a database. Tables never change, so they are linked if possible. Leaves out tables that crash LevelDB. */
export async function copyDatabase(folder: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const file of await readdir(folder)) {
    if (!isLevelFile(file)) continue;
    const [source, target] = [path.join(folder, file), path.join(to, file)];
    // Unreadable files are left out.
    const copy = (): Promise<void> => copyFile(source, target).catch(() => undefined);
    if (tableNumber(file) === undefined) await copy();
    else if (await isSafeTable(source)) await link(source, target).catch(copy);
  }
}

async function isSafeTable(file: string): Promise<boolean> {
  const table = await readFile(file).catch(() => undefined);
  return table !== undefined && stateOfTable(table) !== "unsafe";
}

/** Copies the contents of a folder's tables into a new database. */
export async function copyTables(folder: string, level: ClassicLevel): Promise<void> {
  const sequences = new Map<string, bigint>();
  for (const file of await readdir(folder)) {
    if (tableNumber(file) === undefined) continue;
    const table = await readFile(path.join(folder, file)).catch(() => Buffer.alloc(0));
    const batch = level.batch();
    for (const { key, value, sequence } of readTable(table)) {
      // The index of a table follows its blocks and repeats their keys.
      if (!OUR_KEY.test(key) || sequence <= (sequences.get(key) ?? -1n)) continue;
      sequences.set(key, sequence);
      if (value === undefined) batch.del(key);
      else batch.put(key, value, { valueEncoding: "view" });
    }
    await batch.write();
  }
}
