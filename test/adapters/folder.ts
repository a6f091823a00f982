import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { programOf } from "../program.js";

/** Runs a body with a temporary folder, which is gone afterwards. */
export async function withFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await newFolder();
  try {
    return await body(folder);
  } finally {
    await removeFolder(folder);
  }
}

/** Makes a temporary folder; to be given to `removeFolder`. */
export async function newFolder(): Promise<string> {
  return fs.mkdtemp(path.join(os.tmpdir(), "activity-server-test-"));
}

/** Makes a data folder whose reserve has no length: to make, copy or search a real one takes longer than many tests. */
export async function newDataFolder(folder: string): Promise<string> {
  await fs.mkdir(folder, { recursive: true });
  await fs.writeFile(path.join(folder, "reserve"), "");
  return folder;
}

/** Removes a temporary folder with all that is in it. */
export async function removeFolder(folder: string): Promise<void> {
  await fs.rm(folder, { recursive: true, force: true });
}

/** What no data are in: LevelDB's log for people, its lock and ours, and the reserve of a full disk. */
export const MOVING_FILES: ReadonlySet<string> = new Set(["LOG", "LOG.old", "LOCK", "lock", "reserve"]);

/** Every file of a folder with the hash of its content, as lines. @param except names of files and of their folders */
export async function listing(folder: string, except: ReadonlySet<string> = new Set()): Promise<string[]> {
  const lines: string[] = [];
  for (const entry of await fs.readdir(folder, { withFileTypes: true, recursive: true })) {
    if (except.has(entry.name) || except.has(path.basename(entry.parentPath))) continue;
    const file = path.join(entry.parentPath, entry.name);
    const content = entry.isFile()
      ? createHash("sha1")
          .update(await fs.readFile(file))
          .digest("hex")
      : "folder";
    lines.push(`${path.relative(folder, file)} ${content}`);
  }
  return lines.sort();
}

/** Another process that opens a folder. */
export interface Holder {
  /** Sends a line and resolves to the line that answers it. */
  ask(line: string): Promise<string>;
  /** The first line: `open`, or the code of the error. */
  readonly opened: string;
  /** Lets it close the folder and end. */
  leave(): Promise<void>;
}

/** Starts a process that opens the folder (hold-folder.ts). */
export async function holdElsewhere(folder: string): Promise<Holder> {
  const { execArgv, file } = programOf(new URL("./hold-folder.ts", import.meta.url));
  const child = spawn(process.execPath, [...execArgv, file, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => String((await lines.next()).value);
  const opened = await nextLine();
  return {
    opened,
    ask(line) {
      child.stdin.write(`${line}\n`);
      return nextLine();
    },
    async leave() {
      child.stdin.end();
      await ended;
    },
  };
}
