import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { openToOthers } from "./data-folder.js";
import { send, textOf } from "./tools/send.js";

/** Where a running server says how to reach it, in its data folder. */
export const CONTROL_FILE = "server.json";

/** How a running server is reached by the tools of its operator. */
export interface Control {
  /** `http://127.0.0.1:5600` */
  readonly address: string;
  /** Sent as `Authorization: Bearer`. */
  readonly token: string;
  readonly pid: number;
}

/** A token that nobody can guess, for one run of a server. */
export function newControlToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Writes the file, readable by the owner only, in the place of one that an earlier server has left. */
export async function writeControlFile(folder: string, control: Control): Promise<void> {
  const file = join(folder, CONTROL_FILE);
  const temporary = `${file}.${process.pid}`;
  await rm(temporary, { force: true });
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(control)}\n`);
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

/** Removes the file, if it is still that of this token. */
export async function removeControlFile(folder: string, token: string): Promise<void> {
  if ((await readControlFile(folder))?.token === token) await rm(join(folder, CONTROL_FILE), { force: true });
}

/**
 * Finds the server that has a folder open.
 *
 * @returns `undefined` when there is none: no file, or one that was left behind
 */
export async function findServer(folder: string): Promise<Control | undefined> {
  const control = await readControlFile(folder);
  if (control === undefined) return undefined;
  try {
    const response = await send(control, "GET", "/api/0/health", { timeoutMillis: PROBE_MILLIS });
    const text = await textOf(response);
    // Whoever else listens there now does not know the token, and tells no details.
    return response.statusCode === 200 && isDetailed(text) ? control : undefined;
  } catch {
    return undefined;
  }
}

const PROBE_MILLIS = 5000;

function isDetailed(text: string): boolean {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && "storage" in value;
}

async function readControlFile(folder: string): Promise<Control | undefined> {
  const file = join(folder, CONTROL_FILE);
  try {
    // What others can write could lead the tools, and the token, anywhere.
    if (openToOthers((await stat(file)).mode)) return undefined;
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    const { address, token, pid } = value as Readonly<Record<string, unknown>>;
    const isOurs = typeof address === "string" && typeof token === "string" && typeof pid === "number";
    return isOurs && /^http:\/\/[^/]+$/.test(address) ? { address, token, pid } : undefined;
  } catch {
    return undefined;
  }
}
