// The launcher's code as V8 has compiled it, kept in a file: compiling takes a quarter of a start. Node keeps such
// files itself only from 22.1 on; its environment variables for them count here as well.
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import path from "node:path";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

const CHECKSUM_BYTES = 4;
/** Everything but one's own rights: what stands in the cache runs. */
const RIGHTS_OF_OTHERS = 0o022;

/** A CommonJS module. */
export interface CachedModule<Exports> {
  readonly exports: Exports;
  /** Whether its code came from the cache. */
  readonly isFromCache: boolean;
  /** Keeps what is compiled by now for the next process. Does not fail: it does without. */
  keep(): void;
}

/**
 * Loads a CommonJS module, its code from the cache where that has it. The module cannot `import()`.
 *
 * @param file its path; its text is ASCII
 */
export function requireCached<Exports>(file: string, env: NodeJS.ProcessEnv = process.env): CachedModule<Exports> {
  const text = readFileSync(file, "latin1");
  const cache = cacheFile(file, text, env);
  const cachedData = cache === undefined ? undefined : read(cache);
  // The wrapper of Node, so that lines and columns of a stack trace are those of the file.
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
        // No room, no right to write: the next start compiles again.
      }
    },
  };
}

/** Another file for another text or another Node. `undefined` where nothing is to be kept. */
function cacheFile(file: string, text: string, env: NodeJS.ProcessEnv): string | undefined {
  // V8 counts what runs in code that it compiles itself.
  if (env["NODE_DISABLE_COMPILE_CACHE"] || env["NODE_V8_COVERAGE"]) return undefined;
  try {
    const name = `${path.parse(file).name}-${process.version}-${process.arch}-${crc32(text).toString(16)}`;
    return path.join(cacheFolder(env), name);
  } catch {
    // A user without a home.
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
  const configured = env["XDG_CACHE_HOME"] ?? "";
  // The XDG specification demands that relative paths are ignored.
  return path.join(path.isAbsolute(configured) ? configured : path.join(homedir(), ".cache"), "activity-server");
}

function read(cache: string): Buffer | undefined {
  try {
    if (!isOurs(path.dirname(cache))) return undefined;
    const bytes = readFileSync(cache);
    const data = bytes.subarray(CHECKSUM_BYTES);
    // V8 does not look for itself whether it is whole.
    return bytes.readUInt32LE(0) === crc32(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

function write(cache: string, compiled: () => Buffer): void {
  const folder = path.dirname(cache);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isOurs(folder)) return;
  const data = compiled();
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(data));
  const temporary = `${cache}.${process.pid}`;
  try {
    writeFileSync(temporary, Buffer.concat([checksum, data]), { mode: 0o600 });
    renameSync(temporary, cache);
  } finally {
    // Those of older versions, and what could not be written, here or by a process that was killed.
    for (const name of readdirSync(folder)) {
      if (name !== path.basename(cache)) rmSync(path.join(folder, name), { force: true });
    }
  }
}

/** Whether nobody else may write into a folder. */
function isOurs(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & RIGHTS_OF_OTHERS) === 0);
}
