// The CLI's code as compiled by V8, cached in a file: compiling takes a fifth of a start. Node only caches such code
// from 22.1; its environment variables for that also apply here.
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import path from "node:path";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";
import { xdgFolder } from "./xdg-folder.js";

const CHECKSUM_BYTES = 4;
const STICKY = 0o1000;
const WRITABLE_BY_OTHERS = 0o022;
/** Files of other versions and of killed processes are kept this long. */
const LIFETIME_MILLIS = 30 * 86_400_000;

/** A CommonJS module. */
export interface CachedModule<Exports> {
  readonly exports: Exports;
  /** Whether its code came from the cache. */
  readonly isFromCache: boolean;
  /** Stores the compiled code for the next process. Ignores errors. */
  keep(): void;
}

/**
 * Loads a CommonJS module, its code from the cache if possible. The module cannot use `import()`: Node only has an
 * experimental callback for that.
 *
 * @param file its path; its content is ASCII
 */
export function requireCached<Exports>(file: string, env: NodeJS.ProcessEnv = process.env): CachedModule<Exports> {
  const text = fs.readFileSync(file, "latin1");
  const cache = cacheFile(file, text, env);
  const cachedData = cache === undefined ? undefined : read(cache);
  // Node's wrapper, so that stack traces have the lines of the file.
  const code = `(function (exports, require, module, __filename, __dirname) { ${text}\n})`;
  const script = new Script(code, { filename: file, ...(cachedData === undefined ? {} : { cachedData }) });
  const module = { exports: {} as Exports };
  script.runInThisContext()(module.exports, createRequire(file), module, file, path.dirname(file));
  const isFromCache = cachedData !== undefined && script.cachedDataRejected === false;
  return {
    exports: module.exports,
    isFromCache,
    keep() {
      if (cache === undefined || isFromCache) return;
      try {
        write(cache, () => script.createCachedData());
      } catch {
        // No space or no permission: the next start compiles again.
      }
    },
  };
}

/** A separate file for each content, Node version and V8 flags. `undefined` if caching is off. */
function cacheFile(file: string, text: string, env: NodeJS.ProcessEnv): string | undefined {
  // V8 records coverage only in code that it compiles itself.
  if (env["NODE_DISABLE_COMPILE_CACHE"] || env["NODE_V8_COVERAGE"]) return undefined;
  try {
    const { name } = path.parse(file);
    const key = `${crc32(text).toString(16)}-${cachedDataVersionTag().toString(16)}`;
    const folder = cacheFolder(env);
    return isOurs(folder) ? path.join(folder, `${name}-${process.version}-${process.arch}-${key}`) : undefined;
  } catch {
    // A user without a home folder.
    return undefined;
  }
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  const given = env["NODE_COMPILE_CACHE"];
  if (given) return path.resolve(given, "activity-server");
  if (process.platform === "darwin") return path.join(homedir(), "Library", "Caches", "activity-server");
  if (process.platform === "win32") {
    return path.join(env["LOCALAPPDATA"] || path.join(homedir(), "AppData", "Local"), "activity-server-cache");
  }
  return path.join(xdgFolder(env, "XDG_CACHE_HOME", path.join(homedir(), ".cache")), "activity-server");
}

function read(cache: string): Buffer | undefined {
  try {
    const bytes = fs.readFileSync(cache);
    const data = bytes.subarray(CHECKSUM_BYTES);
    // V8 does not verify its integrity.
    return bytes.readUInt32LE(0) === crc32(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

function write(cache: string, compiled: () => Buffer): void {
  const folder = path.dirname(cache);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const temporary = `${cache}.${Date.now()}-${process.pid}`;
  // Before compiling, because it shows whether writing is allowed.
  const file = fs.openSync(temporary, "wx", 0o600);
  try {
    const data = compiled();
    const checksum = Buffer.alloc(CHECKSUM_BYTES);
    checksum.writeUInt32LE(crc32(data));
    fs.writeFileSync(file, Buffer.concat([checksum, data]));
    fs.renameSync(temporary, cache);
  } finally {
    fs.closeSync(file);
    fs.rmSync(temporary, { force: true });
  }
  removeOld(folder);
}

const NAME = /^\w+-v[\d.]+-\w+-[\da-f]+-[\da-f]+(?:\.[\d-]+)?$/;

function removeOld(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    if (NAME.test(name) && fs.statSync(file).mtimeMs < Date.now() - LIFETIME_MILLIS) fs.rmSync(file, { force: true });
  }
}

/**
 * Whether no other user could have put a file into a folder, because it is executed: the folder and its parents, by
 * name and by link target, belong to this user or to root, and no other user may rename anything in them. Windows has
 * no such modes.
 */
function isOurs(folder: string): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true;
  let existing = folder;
  while (!fs.existsSync(existing)) existing = path.dirname(existing);
  return [existing, fs.realpathSync(existing)].every((place) => isSafe(place, user, existing === folder));
}

/** @param isLast whether the files are in this folder, rather than in a subfolder */
function isSafe(place: string, user: number, isLast: boolean): boolean {
  const stats = fs.lstatSync(place);
  if (stats.uid !== user && stats.uid !== 0) return false;
  const isShared = (stats.mode & WRITABLE_BY_OTHERS) !== 0 && !stats.isSymbolicLink();
  if (isShared && (isLast || (stats.mode & STICKY) === 0)) return false;
  const parent = path.dirname(place);
  return parent === place || isSafe(parent, user, false);
}
