// A socket in the file system, which only its owner may use.

import type { Server } from "node:net";
import { errorCode, hasCode } from "../errors.js";

/** Bytes that every system takes, without the zero at the end. */
const LONGEST_PATH = 103;

/**
 * Listens on a path. A socket that a dead server has left there is replaced.
 *
 * @returns removes the file, if it is still this one
 * @throws Error with a `code`: `EADDRINUSE` when somebody accepts connections there, `EEXIST` when something else has
 *   the path, `ENAMETOOLONG`, and what the file system says
 */
export async function listenOnPath(server: Server, path: string): Promise<() => Promise<void>> {
  // Windows has pipes with names of their own, and no modes.
  if (globalThis.process.platform === "win32") {
    await listening(server, path);
    return async () => undefined;
  }
  const { chmod, link, lstat, mkdtemp, rm } = globalThis.process.getBuiltinModule("fs/promises");
  const { dirname, join } = globalThis.process.getBuiltinModule("path");
  const stale = await staleSocket(path);
  // Whoever connects before the mode is set would be in: the folder around it keeps everybody else out until then.
  const folder = await mkdtemp(join(dirname(path), ".s"));
  try {
    const first = join(folder, "s");
    const longest = Math.max(...[path, first].map((text) => new TextEncoder().encode(text).length));
    if (longest > LONGEST_PATH) {
      throw fault("ENAMETOOLONG", `the path of the socket is ${longest - LONGEST_PATH} bytes too long`);
    }
    await listening(server, first);
    await chmod(first, 0o600);
    if (stale !== undefined) await takeAway(path, stale, join(folder, "stale"));
    await link(first, path).catch((error: unknown) => {
      throw hasCode(error, "EEXIST") ? fault("EADDRINUSE", "somebody listens on the socket") : error;
    });
  } catch (error) {
    server.close();
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const made = await lstat(path);
  return async () => {
    const found = await lstat(path).catch(() => undefined);
    if (found?.ino === made.ino && found.dev === made.dev) await rm(path, { force: true });
  };
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/**
 * The inode of a socket that a dead server has left; `undefined` = nothing is there.
 *
 * @throws Error `EADDRINUSE`, `EEXIST`
 */
async function staleSocket(path: string): Promise<number | undefined> {
  const { lstat } = globalThis.process.getBuiltinModule("fs/promises");
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isSocket()) throw fault("EEXIST", "the path of the socket is taken by something else");
  const refused = await connectionFault(path);
  if (refused === undefined) throw fault("EADDRINUSE", "somebody listens on the socket");
  if (refused !== "ECONNREFUSED" && refused !== "ENOENT") throw fault(refused, "the socket cannot be replaced");
  return found.ino;
}

/** Moves a dead socket aside. Another who starts may have been quicker: a new socket is put back. */
async function takeAway(path: string, inode: number, aside: string): Promise<void> {
  const { link, lstat, rename } = globalThis.process.getBuiltinModule("fs/promises");
  try {
    await rename(path, aside);
    if ((await lstat(aside)).ino !== inode) await link(aside, path);
  } catch (error) {
    if (!hasCode(error, "ENOENT", "EEXIST")) throw error;
  }
}

/** Why nobody accepts a connection there; `undefined` = somebody does. */
function connectionFault(path: string): Promise<string | undefined> {
  const { connect } = globalThis.process.getBuiltinModule("net");
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      resolve(undefined);
      socket.destroy();
    });
    socket.once("error", (error) => resolve(errorCode(error) || "unknown"));
  });
}

function fault(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
