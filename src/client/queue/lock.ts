// A file next to the queue file that names the process which uses it. It remains if that process is killed, so a new
// process checks whether the named one still runs.

import type { NodeParts } from "./node.js";
import { HeartbeatQueueError } from "./queue-error.js";

interface Holder {
  readonly pid: number;
  /** Distinguishes it from a later process with the same ID; empty if the system does not provide it. */
  readonly started: string;
  /** Distinguishes the part of the process that has it from others, such as Workers. */
  readonly token: string;
}

/** State of all copies of this module with the same globals: a program can load its ESM and its CommonJS build. */
interface Shared {
  readonly token: string;
  /** Files that are open here: the process ID does not show whether a lock is a leftover. */
  readonly open: Set<string>;
}

const SHARED = Symbol.for("activity-server.queue.locks");

function shared(): Shared {
  const globals = globalThis as { [SHARED]?: Shared };
  globals[SHARED] ??= { token: globalThis.crypto.randomUUID(), open: new Set() };
  return globals[SHARED];
}

/** How long a lock file may be empty, in milliseconds: some file systems show it before it is written. */
const EMPTY_MILLIS = 10_000;
/** Another process may be removing the same leftovers. */
const TRIES = 5;

/**
 * Reserves a file among queues with the same globals, even if it cannot be locked.
 *
 * @param file its real path
 * @returns releases it
 * @throws HeartbeatQueueError `LOCKED`
 */
export function reserve(file: string): () => void {
  const { open } = shared();
  if (open.has(file)) throw locked(file, "another queue of this process");
  open.add(file);
  return () => open.delete(file);
}

/**
 * Locks a file.
 *
 * @param file its real path
 * @returns releases it
 * @throws HeartbeatQueueError `LOCKED`; errors of the file system if no lock can be created
 */
export function lock({ fs }: NodeParts, file: string): () => void {
  const name = `${file}.lock`;
  const { open, token } = shared();
  if (open.has(name)) throw locked(file, "another queue of this process");
  const own = JSON.stringify({ pid: process.pid, started: startOf(fs, process.pid), token } satisfies Holder);
  for (let tries = 0; tries < TRIES; tries++) {
    // Check first: an existing lock applies even if no new one can be created.
    clear(fs, file, name);
    try {
      make(fs, name, own, `${name}.${token}`);
      open.add(name);
      return () => {
        open.delete(name);
        if (readLock(fs, name) === own) fs.rmSync(name, { force: true });
      };
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
  throw locked(file, "another process");
}

/** Creates a lock that is never empty, unless the file system has no links. @throws `EEXIST` if one exists */
function make(fs: NodeParts["fs"], name: string, own: string, aside: string): void {
  try {
    fs.writeFileSync(aside, own);
    fs.linkSync(aside, name);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    makeWithoutLink(fs, name, own);
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

function makeWithoutLink(fs: NodeParts["fs"], name: string, own: string): void {
  const file = fs.openSync(name, "wx");
  try {
    fs.writeFileSync(file, own);
  } catch (error) {
    fs.rmSync(name, { force: true });
    throw error;
  } finally {
    fs.closeSync(file);
  }
}

/** Removes the lock of a process that has ended. @throws HeartbeatQueueError `LOCKED` */
function clear(fs: NodeParts["fs"], file: string, name: string): void {
  const found = readLock(fs, name);
  if (found === undefined) return;
  const holder = parseHolder(found);
  if (holder !== undefined && isAlive(fs, holder)) throw locked(file, `process ${holder.pid}`, name);
  if (holder === undefined && Math.abs(ageOf(fs, name)) < EMPTY_MILLIS) throw locked(file, "another process", name);
  // Move it first: if a third process was faster, this is its new lock, and must be moved back.
  const aside = `${name}.${shared().token}`;
  try {
    fs.renameSync(name, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  if (readLock(fs, aside) !== found) {
    fs.renameSync(aside, name);
    throw locked(file, "another process", name);
  }
  fs.rmSync(aside, { force: true });
}

function readLock(fs: NodeParts["fs"], name: string): string | undefined {
  try {
    return fs.readFileSync(name, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const { pid, started, token = "" } = JSON.parse(text) as Partial<Record<keyof Holder, unknown>>;
    const isProcess = typeof pid === "number" && Number.isSafeInteger(pid) && pid > 0;
    if (isProcess && typeof started === "string" && typeof token === "string") return { pid, started, token };
  } catch {
    // Incomplete, or not ours.
  }
  return undefined;
}

function isAlive(fs: NodeParts["fs"], { pid, started, token }: Holder): boolean {
  // A leftover, because it is not open here.
  if (token === shared().token) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user cannot be signaled, but exists.
    if (codeOf(error) !== "EPERM") return false;
  }
  const now = startOf(fs, pid);
  return started === "" || now === "" || started === now;
}

/** Start time of a process, as Linux reports it; empty elsewhere. */
function startOf(fs: NodeParts["fs"], pid: number): string {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name, in brackets, may contain anything. The start time is the 20th field after it.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function ageOf(fs: NodeParts["fs"], name: string): number {
  return Date.now() - (fs.statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function locked(file: string, holder: string, name?: string): HeartbeatQueueError {
  const hint = name === undefined ? "" : `; if that process is not a watcher, delete ${name}`;
  return new HeartbeatQueueError("LOCKED", `the queue file ${file} is in use by ${holder}${hint}`);
}
