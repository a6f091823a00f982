import { constants } from "node:fs";
import { access, chmod, lstat, mkdir, readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, win32 } from "node:path";
import { LaunchError, printable } from "./launch-error.js";
import { xdgFolder } from "./xdg-folder.js";

export interface DefaultFolderOptions {
  readonly testing: boolean;
  /** @default the platform of this process */
  readonly platform?: NodeJS.Platform;
  /** @default the environment of this process */
  readonly env?: NodeJS.ProcessEnv;
  /** @default the home folder of the user */
  readonly home?: string;
}

/** The default data folder. Testing never shares a folder with real data. */
export function defaultDataFolder(place: DefaultFolderOptions): string {
  const { testing, platform = process.platform, env = process.env, home = homedir() } = place;
  const name = testing ? "activity-server-testing" : "activity-server";
  if (platform === "win32") return win32.join(env["LOCALAPPDATA"] || win32.join(home, "AppData", "Local"), name);
  if (platform === "darwin") return join(home, "Library", "Application Support", name);
  return join(xdgFolder(env, "XDG_DATA_HOME", join(home, ".local", "share")), name);
}

/**
 * Ensures that the data folder exists. New folders are only for the owner. An existing one becomes private if it is
 * ours; any other stays unchanged.
 *
 * @param isOurs whether no other program uses it
 * @returns a warning, if any
 * @throws LaunchError if it cannot be created
 */
export async function prepareDataFolder(folder: string, isOurs = false): Promise<string | undefined> {
  const missing: string[] = [];
  let existing = folder;
  let found = await statOrMissing(existing, folder);
  while (found === undefined && dirname(existing) !== existing) {
    missing.unshift(existing);
    existing = dirname(existing);
    found = await statOrMissing(existing, folder);
  }
  if (found === undefined || !found.isDirectory()) {
    throw new LaunchError(
      `the data folder ${quotePath(folder)} cannot be created: ${quotePath(existing)} is not a folder`,
    );
  }
  if (missing.length === 0) {
    if (!isOpenToOthers(found.mode) || (isOurs && (await tryMakePrivate(folder)))) return undefined;
    return openAccessWarning("data folder", folder, 700);
  }

  await access(existing, constants.W_OK | constants.X_OK).catch(() => {
    throw new LaunchError(
      `the data folder ${quotePath(folder)} cannot be created: no permission to write in ${quotePath(existing)}`,
    );
  });
  // One level at a time: a recursive mkdir never returns below a virtual file system such as /proc.
  for (const level of missing) await makeFolder(level, folder);
  return undefined;
}

async function tryMakePrivate(folder: string): Promise<boolean> {
  return chmod(folder, 0o700).then(
    () => true,
    () => false,
  );
}

async function makeFolder(level: string, folder: string): Promise<void> {
  try {
    await mkdir(level, { mode: 0o700 });
  } catch (error) {
    const code = errorCode(error);
    const made = code === "EEXIST" && (await stat(level).catch(() => undefined))?.isDirectory();
    if (made) return;
    throw new LaunchError(`the data folder ${quotePath(folder)} cannot be created (${code} at ${quotePath(level)})`);
  }
}

async function statOrMissing(path: string, folder: string) {
  try {
    return await stat(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new LaunchError(`the data folder ${quotePath(folder)} cannot be reached (${code} at ${quotePath(path)})`);
  }
}

/** Whether a file mode allows access for others. Windows stores permissions elsewhere. */
export function isOpenToOthers(mode: number): boolean {
  return process.platform !== "win32" && (mode & 0o077) !== 0;
}

export function openAccessWarning(what: string, path: string, mode: number): string {
  const advice = `chmod ${mode} ${quoteForShell(path)}`;
  return `the ${what} ${quotePath(path)} is accessible to other users of this machine; run: ${advice}`;
}

/** Whether a file or folder exists. */
export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/** Bytes of all files in a folder; files that disappear in the meantime count zero. */
export async function sizeOnDisk(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const found = await Promise.all(names.map((name) => lstat(join(folder, name)).catch(() => undefined)));
  return found.reduce((sum, entry) => sum + (entry?.isFile() ? entry.size : 0), 0);
}

/** Formats a size: `0 B`, `1.2 MB`. Decimal units, as in file managers. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** Quotes an argument for a POSIX shell, or for those of Windows, where only double quotes work in each. */
export function quoteForShell(text: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w./@%+=:,-]+$/.test(text)) return text;
  if (platform !== "win32") return `'${text.replaceAll("'", "'\\''")}'`;
  // There, backslashes are literal, except before a quote.
  return `"${text.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, "$&$&")}"`;
}

export function quotePath(path: string): string {
  return `'${printable(path, 300)}'`;
}

export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
