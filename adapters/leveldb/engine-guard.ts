import fs from "node:fs/promises";
import path from "node:path";
import { exists, syncFolder } from "./file-system.js";
import { isLevelFile, tableNumber } from "./level-files.js";

/**
 * LevelDB reads its own log and manifest leniently: a record that fails its check is dropped, with a line in the file
 * LOG and nothing else, and what is no longer named is deleted. So before every opening its files are linked aside,
 * where they stay until it is certain that nothing was lost.
 */
export class EngineGuard {
  readonly #folder: string;
  readonly #aside: string;
  #isMine = false;

  /** @param folder of the database @param aside where the links go; must be on the same file system */
  constructor(folder: string, aside: string) {
    this.#folder = folder;
    this.#aside = aside;
  }

  /** Links all files aside. Those of an opening that never came to its end stay: they are nearer to the truth. */
  async set(): Promise<void> {
    if (await exists(this.#aside)) return;
    const files = (await fs.readdir(this.#folder)).filter(isLevelFile);
    if (files.length === 0) return;
    const unfinished = `${this.#aside}.new`;
    await fs.rm(unfinished, { recursive: true, force: true });
    await fs.mkdir(unfinished, { mode: 0o700 });
    for (const name of files) await keep(path.join(this.#folder, name), path.join(unfinished, name));
    await syncFolder(unfinished);
    await fs.rename(unfinished, this.#aside);
    await syncFolder(path.dirname(this.#aside));
    this.#isMine = true;
  }

  /** Nothing was opened: removes what `set` has made. */
  async undo(): Promise<void> {
    if (this.#isMine) await this.release();
  }

  /** What the engine says that it has dropped while it was opened; `undefined` when it was nothing. */
  async dropped(): Promise<string | undefined> {
    const log = await fs.readFile(path.join(this.#folder, "LOG"), "utf8").catch(() => "");
    return log.split("\n").find((line) => /dropping \d+ bytes|Ignoring error/i.test(line));
  }

  /** Nothing was lost: the links are not needed any more. */
  async release(): Promise<void> {
    await fs.rm(this.#aside, { recursive: true, force: true });
  }
}

/** A link where the file system has them; tables never change, so the small rest is copied elsewhere. */
async function keep(file: string, to: string): Promise<void> {
  try {
    await fs.link(file, to);
  } catch {
    if (tableNumber(path.basename(file)) === undefined) await fs.copyFile(file, to);
  }
}
