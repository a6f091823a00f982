// A socket in the file system, which only its owner can use.

import type { Server } from "node:net";
import { errorCode, hasCode } from "../errors.js";

/** Bytes that every system allows, without the final zero. */
const LONGEST_PATH = 103;

/**
 * Listens on a path. Replaces the socket of a dead server.
 *
 * @returns removes the file, if it is still this one
 * @throws Error with a `code`: `EADDRINUSE` if a server accepts connections there, `EEXIST` if another file has the
 *   path, `ENAMETOOLONG`, and errors of the file system
 */
export async function listenOnPath(server: Server, path: string): Promise<() => Promise<void>> {
  // Windows uses named pipes, without modes.
  if (globalThis.process.platform === "win32") {
    await listening(server, path);
    return async () => undefined;
  }
  const { chmod, link, lstat, mkdtemp, rm } = globalThis.process.getBuiltinModule("fs/promises");
  const { dirname, join } = globalThis.process.getBuiltinModule("path");
  const stale = await staleSocket(path);
  // A client could connect before the mode is set: until then, the private folder around it blocks other users.
  const folder = await mkdtemp(join(dirname(path), ".s"));
  try {
    const first = join(folder, "s");
    const longest = Math.max(...[path, first].map((text) => new TextEncoder().encode(text).length));
    if (longest > LONGEST_PATH) {
      throw fault("ENAMETOOLONG", `the path of the socket is ${longest - LONGEST_PATH} bytes too long`);
    }
    await listening(server, first);
    await chmod(first, 0o600);
    if (stale !== undefined) await removeStaleSocket(path, stale, join(folder, "stale"));
    await link(first, path).catch((error: unknown) => {
      throw hasCode(error, "EEXIST") ? fault("EADDRINUSE", "another process listens on the socket") : error;
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
 * The inode of a dead server's socket; `undefined` if the path is free.
 *
 * @throws Error `EADDRINUSE`, `EEXIST`
 */
async function staleSocket(path: string): Promise<number | undefined> {
  const { lstat } = globalThis.process.getBuiltinModule("fs/promises");
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  if (!found.isSocket()) throw fault("EEXIST", "the path of the socket is taken by something else");
  const refused = await connectionFault(path);
  if (refused === undefined) throw fault("EADDRINUSE", "another process listens on the socket");
  if (refused !== "ECONNREFUSED" && refused !== "ENOENT") throw fault(refused, "the socket cannot be replaced");
  return found.ino;
}

/** Moves a dead socket aside. If another server was quicker, its new socket is put back. */
async function removeStaleSocket(path: string, inode: number, aside: string): Promise<void> {
  const { link, lstat, rename } = globalThis.process.getBuiltinModule("fs/promises");
  try {
    await rename(path, aside);
    if ((await lstat(aside)).ino !== inode) await link(aside, path);
  } catch (error) {
    if (!hasCode(error, "ENOENT", "EEXIST")) throw error;
  }
}

/** Why no connection is possible there; `undefined` if a server accepts it. */
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
