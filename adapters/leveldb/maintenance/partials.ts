import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { hasCode } from "../../../src/errors.js";

// New files and folders are first written next to their target, under a name that identifies the writing process.

/** Identifies this machine or container, because others that share the folder have their own process IDs. */
const HOST = createHash("sha256").update(os.hostname()).digest("hex").slice(0, 8);
const NAME = /\.([0-9a-f]{8})-(\d+)-[0-9a-f]{8}\.partial(?:\.work)?$/;
/** Names of version 0.2. */
const OLD_NAME = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.partial(?:\.work)?$/;
/** After this long without changes, a file of an ended process, or of any process, is a leftover. */
const ENDED_MILLIS = 10 * 60 * 1000;
const QUIET_MILLIS = 24 * 60 * 60 * 1000;

/** The path at which a file or folder is created before it moves to its target. */
export function createPartialPath(target: string): string {
  return `${target}.${HOST}-${process.pid}-${randomBytes(4).toString("hex")}.partial`;
}

/** Removes leftovers of killed processes in the folder of a target. Best effort. */
export async function removeLeftovers(target: string): Promise<void> {
  const folder = path.dirname(target);
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const partial = path.join(folder, name);
    if (await isLeftover(partial).catch(() => false))
      await fs.rm(partial, { recursive: true, force: true }).catch(() => {});
  }
}

async function isLeftover(partial: string): Promise<boolean> {
  const [, host, pid] = NAME.exec(partial) ?? [];
  if (host === undefined && !OLD_NAME.test(partial)) return false;
  const { uid } = await fs.lstat(partial);
  if (process.getuid !== undefined && uid !== process.getuid()) return false;
  // Containers may share a hostname: then a running process of another container seems to have ended.
  const hasEnded = host === HOST && !isRunning(Number(pid));
  return Date.now() - (await changedAt(partial)) > (hasEnded ? ENDED_MILLIS : QUIET_MILLIS);
}

/** Time of the last change of a file, or of a folder and its contents, in Unix milliseconds. */
async function changedAt(partial: string): Promise<number> {
  const names = await fs.readdir(partial, { recursive: true }).catch(() => []);
  const files = [partial, ...names.map((name) => path.join(partial, name))];
  const times = await Promise.all(files.map(async (file) => (await fs.lstat(file)).mtimeMs));
  return Math.max(...times);
}

/** Whether a process with that ID exists, of any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return !hasCode(cause, "ESRCH");
  }
}
