import fs from "node:fs/promises";
import path from "node:path";
import { ifCode } from "../../../src/errors.js";
import { layoutOf } from "../folder.js";
import { KEY_FILES } from "../key-files.js";
import { isLevelFile, tableNumber } from "../level-files.js";

/**
 * Creates a writable copy of a read-only folder, because LevelDB writes when it opens a database. Tables never change,
 * so they are linked. The small rest is copied.
 *
 * @param view a new folder
 */
export async function createView(folder: string, view: string): Promise<void> {
  const [from, to] = [layoutOf(path.resolve(folder)), layoutOf(view)];
  for (const each of [to.db, to.wal]) await fs.mkdir(each, { recursive: true, mode: 0o700 });
  for (const name of ["FORMAT", ...KEY_FILES]) await copy(path.join(from.folder, name), path.join(view, name));
  for (const name of await namesIn(from.wal)) await copy(path.join(from.wal, name), path.join(to.wal, name));
  for (const name of (await namesIn(from.db)).filter(isLevelFile)) {
    const [source, target] = [path.join(from.db, name), path.join(to.db, name)];
    if (tableNumber(name) === undefined) await copy(source, target);
    else await fs.symlink(source, target);
  }
}

/** Missing files are reported when the view is opened. */
async function namesIn(folder: string): Promise<string[]> {
  return fs.readdir(folder).catch(ifCode("ENOENT", []));
}

async function copy(source: string, target: string): Promise<void> {
  await fs.readFile(source).then((bytes) => fs.writeFile(target, bytes, { mode: 0o600 }), ifCode("ENOENT", undefined));
}
