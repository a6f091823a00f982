import { readdir, readFile } from "node:fs/promises";
import { isLoopbackHost } from "./address.js";
import type { LaunchOptions } from "./options.js";

/** The accounts of Linux systems. macOS and Windows store them elsewhere. */
const ACCOUNTS = "/etc/passwd";
const FIRST_LOGIN_ID = 1000;
const NOBODY_ID = 65_534;
/** Shells of accounts without a login. */
const NO_SHELL = /(?:^|\/)(?:nologin|false|sync|halt|shutdown)$/;

/** Counts users who can log in. @param accounts content of `/etc/passwd` */
export function countLoginUsers(accounts: string): number {
  return accounts.split("\n").filter((line) => {
    const [, , id, , , , shell] = line.split(":");
    const number = Number(id);
    return shell !== undefined && number >= FIRST_LOGIN_ID && number < NOBODY_ID && !NO_SHELL.test(shell.trim());
  }).length;
}

/** Whether several people can log in. */
export async function hasOtherUsers(): Promise<boolean> {
  return countLoginUsers(await readFile(ACCOUNTS, "utf8").catch(() => "")) > 1;
}

/**
 * A hint for the first start, because all users of the machine can reach a loopback socket. Call it before the data
 * folder is created.
 *
 * @returns `undefined` if there are no other users, or if they have no access
 */
export async function otherUsersWarning(options: LaunchOptions): Promise<string | undefined> {
  const { data, host, socketPath, auth, apiKeyFile } = options;
  const isOpen = socketPath === undefined && auth !== "required" && apiKeyFile === undefined && isLoopbackHost(host);
  if (!isOpen || data === undefined) return undefined;
  const known = await readdir(data).catch(() => []);
  if (known.length > 0) return undefined;
  if (!(await hasOtherUsers())) return undefined;
  return "other users of this machine can read and change everything; use --auth required or --socket PATH";
}
