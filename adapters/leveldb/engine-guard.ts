import fs from "node:fs/promises";
import path from "node:path";
import { exists, syncFolder } from "./file-system.js";
import { isLevelFile, tableNumber } from "./level-files.js";

/**
 * Preserves the files of LevelDB while it opens them, as links in another folder, until it is certain that nothing was
 * lost. LevelDB reads its log and manifest leniently: it drops a record with a wrong checksum and only adds a line to
 * the file LOG, and it deletes files that are no longer referenced.
 */
export class EngineGuard {
  readonly #folder: string;
  readonly #aside: string;
  #isMine = false;

  /** @param folder of the database @param aside the folder for the links, on the same file system */
  constructor(folder: string, aside: string) {
    this.#folder = folder;
    this.#aside = aside;
  }

  /** Links all files. Existing links of an incomplete opening stay, because they show an earlier state. */
  async linkFiles(): Promise<void> {
    if (await exists(this.#aside)) return;
    const files = (await fs.readdir(this.#folder)).filter(isLevelFile);
    if (files.length === 0) return;
    const unfinished = `${this.#aside}.new`;
    await fs.rm(unfinished, { recursive: true, force: true });
    await fs.mkdir(unfinished, { mode: 0o700 });
    for (const name of files) await linkOrCopy(path.join(this.#folder, name), path.join(unfinished, name));
    await syncFolder(unfinished);
    await fs.rename(unfinished, this.#aside);
    await syncFolder(path.dirname(this.#aside));
    this.#isMine = true;
  }

  /** Removes the links after an opening that did not start. */
  async removeOwnLinks(): Promise<void> {
    if (this.#isMine) await this.removeLinks();
  }

  /** Reads the engine's report of dropped data from its file LOG; `undefined` if nothing was dropped. */
  async readDropped(): Promise<string | undefined> {
    const log = await fs.readFile(path.join(this.#folder, "LOG"), "utf8").catch(() => "");
    return log.split("\n").find((line) => /dropping \d+ bytes|Ignoring error/i.test(line));
  }

  /** Removes the links once nothing was lost. */
  async removeLinks(): Promise<void> {
    await fs.rm(this.#aside, { recursive: true, force: true });
  }
}

/** Links a file. If the file system cannot, copies it, unless it is a table: tables are large and never change. */
async function linkOrCopy(file: string, to: string): Promise<void> {
  try {
    await fs.link(file, to);
  } catch {
    if (tableNumber(path.basename(file)) === undefined) await fs.copyFile(file, to);
  }
}
