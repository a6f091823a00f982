// A file beside the queue file that names the process which uses it. It stays behind when that process is killed, so
// whoever finds it looks whether that very process still lives.

import type { NodeParts } from "./node.js";
import { HeartbeatQueueError } from "./queue-error.js";

/** Who holds a lock. */
interface Holder {
  readonly pid: number;
  /** Distinguishes it from a later process with the same number; empty where the system does not say. */
  readonly started: string;
  /** Distinguishes the part of the process that holds it from others, such as its Workers. */
  readonly token: string;
}

/** What all copies of this module know that share their globals: a program can load its ESM and its CommonJS build. */
interface Shared {
  readonly token: string;
  /** What is open here: a process cannot see by its own number whether a lock is left over. */
  readonly open: Set<string>;
}

const SHARED = Symbol.for("activity-server.queue.locks");

function shared(): Shared {
  const globals = globalThis as { [SHARED]?: Shared };
  globals[SHARED] ??= { token: globalThis.crypto.randomUUID(), open: new Set() };
  return globals[SHARED];
}

/** How long a lock may be without content, in milliseconds: some file systems let it be seen before it is written. */
const EMPTY_MILLIS = 10_000;
/** Another process may be after the same leftovers. */
const TRIES = 5;

/**
 * Keeps other queues that share these globals away from a file, also while it cannot have a lock.
 *
 * @param file its real path
 * @returns what lets go of it
 * @throws HeartbeatQueueError `LOCKED`
 */
export function reserve(file: string): () => void {
  const { open } = shared();
  if (open.has(file)) throw locked(file, "another queue of this process");
  open.add(file);
  return () => open.delete(file);
}

/**
 * Takes the lock of a file.
 *
 * @param file its real path
 * @returns what lets go of it
 * @throws HeartbeatQueueError `LOCKED`; whatever the file system throws when no lock can be made
 */
export function lock({ fs }: NodeParts, file: string): () => void {
  const name = `${file}.lock`;
  const { open, token } = shared();
  if (open.has(name)) throw locked(file, "another queue of this process");
  const own = JSON.stringify({ pid: process.pid, started: startOf(fs, process.pid), token } satisfies Holder);
  for (let tries = 0; tries < TRIES; tries++) {
    // First of all: where no lock can be made, one that is there counts nevertheless.
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

/** Makes a lock that has its content from the beginning. @throws `EEXIST` when there is one */
function make(fs: NodeParts["fs"], name: string, own: string, aside: string): void {
  try {
    fs.writeFileSync(aside, own);
    link(fs, name, own, aside);
  } finally {
    fs.rmSync(aside, { force: true });
  }
}

function link(fs: NodeParts["fs"], name: string, own: string, aside: string): void {
  try {
    fs.linkSync(aside, name);
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw error;
    makeWithoutLink(fs, name, own);
  }
}

/** Not all file systems have links. */
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

/** Removes the lock of a process that is gone. @throws HeartbeatQueueError `LOCKED` */
function clear(fs: NodeParts["fs"], file: string, name: string): void {
  const found = readLock(fs, name);
  if (found === undefined) return;
  const holder = parseHolder(found);
  if (holder !== undefined && isAlive(fs, holder)) throw locked(file, `process ${holder.pid}`, name);
  if (holder === undefined && Math.abs(ageOf(fs, name)) < EMPTY_MILLIS) throw locked(file, "another process", name);
  // Moved away first: if a third process has been faster, what is moved is its fresh lock, and has to go back.
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
    // Half written, or not ours.
  }
  return undefined;
}

function isAlive(fs: NodeParts["fs"], { pid, started, token }: Holder): boolean {
  // Left over, since it is not open here.
  if (token === shared().token) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else cannot be signalled, but is there.
    if (codeOf(error) !== "EPERM") return false;
  }
  const now = startOf(fs, pid);
  return started === "" || now === "" || started === now;
}

/** When a process began, as Linux counts it; empty elsewhere. */
function startOf(fs: NodeParts["fs"], pid: number): string {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in brackets, may hold anything; the start is the 20th field behind it.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function ageOf(fs: NodeParts["fs"], name: string): number {
  return Date.now() - (fs.statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

/** The code of an error of the file system. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function locked(file: string, holder: string, name?: string): HeartbeatQueueError {
  const hint = name === undefined ? "" : `; if that is no watcher, delete ${name}`;
  return new HeartbeatQueueError("LOCKED", `the queue file ${file} is in use by ${holder}${hint}`);
}
