import { ActivityError, hasCode, isModuleMissing, messageOf } from "../../src/errors.js";
import type { LevelDatabase } from "./database.js";

/** Size of the engine's cache for compressed blocks. It is small, because decoded segments are cached. */
const ENGINE_CACHE_BYTES = 1024 * 1024;
/** The engine maps each open file into memory, so we keep few and small ones. Its minimum is 74. */
const MAX_FILES = 74;
const FILE_BYTES = 1024 * 1024;
/** The engine starts a new log once its memtable takes up more memory. */
export const WRITE_BUFFER_BYTES: number = 4 * 1024 * 1024;

/**
 * Loads classic-level when a folder is opened: an embedder with its own database needs no native code.
 *
 * @throws ActivityError `STORAGE_UNUSABLE` that names the missing part
 */
export async function loadEngine(): Promise<(location: string) => LevelDatabase> {
  try {
    const { ClassicLevel } = await import("classic-level");
    const options = {
      cacheSize: ENGINE_CACHE_BYTES,
      writeBufferSize: WRITE_BUFFER_BYTES,
      maxOpenFiles: MAX_FILES,
      maxFileSize: FILE_BYTES,
    };
    return (location) => new ClassicLevel(location, options);
  } catch (cause) {
    throw engineMissingError(cause);
  }
}

/** Runtime messages of bundlers about modules that they did not include. */
const BUNDLED = /Dynamic require of|Could not dynamically require|__filename is not defined|__dirname is not defined/;
const NO_BUILD = /No native build was found/;

const KEEP_OUT =
  "it has native code, so keep it out of the bundle and install it next to your app: " +
  'external: ["classic-level"] in esbuild, Rollup and Vite, serverExternalPackages: ["classic-level"] in Next';

/** The error of an engine that cannot be loaded: the package, its native build or its location is wrong. */
export function engineMissingError(cause: unknown): ActivityError {
  return new ActivityError("STORAGE_UNUSABLE", `storage in a folder needs classic-level: ${reasonOf(cause)}`, {
    cause,
  });
}

function reasonOf(cause: unknown): string {
  const message = messageOf(cause);
  if (isModuleMissing(cause) && /['"]classic-level['"]/.test(message)) {
    return "the package is not installed; run npm install classic-level";
  }
  if (BUNDLED.test(message)) return `it was bundled with your app (${firstLine(message)}); ${KEEP_OUT}`;
  if (NO_BUILD.test(message)) {
    const platform = /platform=(\S+) arch=(\S+)/.exec(message)?.slice(1).join(" ") ?? "this platform";
    const again = "if it was installed on another platform, install it again on this one";
    return `its native build for ${platform} was not found. If your app is bundled: ${KEEP_OUT}; ${again}`;
  }
  if (hasCode(cause, "ERR_DLOPEN_FAILED")) {
    return `its native build does not fit this platform (${firstLine(message)}); install it again on this one`;
  }
  return `it cannot be loaded: ${firstLine(message)}`;
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? "";
}
