import { type FileHandle, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, isOpenToOthers, openAccessWarning, quoteForShell, quotePath } from "./data-folder.js";
import { LaunchError } from "./launch-error.js";

const MAX_KEY_BYTES = 4096;

export interface ApiKey {
  readonly key: string;
  /** Shell words that expand to the key, for the curl line. */
  readonly shell: string;
  readonly warning: string | undefined;
}

/**
 * Reads the API key, without surrounding white space.
 *
 * @throws LaunchError if the file has no usable key
 */
export async function readApiKey(file: string): Promise<ApiKey> {
  const { bytes, mode } = await readShortFile(file, "API key file");
  const text = bytes.toString("utf8");
  const key = text.trim();
  if (key === "") throw new LaunchError(`the API key file ${quotePath(file)} is empty`);
  if (/[\r\n]/.test(key)) throw new LaunchError(`the API key file ${quotePath(file)} has more than one line`);
  // Characters that an Authorization header carries unchanged.
  if (!/^[\x20-\x7e]+$/.test(key)) {
    throw new LaunchError(`the API key file ${quotePath(file)} must contain only printable ASCII characters`);
  }
  // $(cat) only removes line breaks at the end.
  const plain = text.replace(/\n+$/, "") === key;
  return {
    key,
    shell: plain ? `$(cat ${quoteForShell(file)})` : `$(xargs < ${quoteForShell(file)})`,
    warning: mode !== undefined && isOpenToOthers(mode) ? openAccessWarning("API key file", file, 600) : undefined,
  };
}

/** Reads with a limit, so that a wrong path (a device, a log) cannot fill the memory. Pipes have no mode to check. */
export async function readShortFile(file: string, what: string): Promise<{ bytes: Buffer; mode: number | undefined }> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    const found = await handle.stat();
    const bytes = Buffer.alloc(MAX_KEY_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = (await handle.read(bytes, length, bytes.length - length, null)).bytesRead;
    }
    if (length > MAX_KEY_BYTES) throw new LaunchError(`the ${what} ${quotePath(file)} is too long for a key`);
    return { bytes: bytes.subarray(0, length), mode: found.isFile() ? found.mode : undefined };
  } catch (error) {
    if (error instanceof LaunchError) throw error;
    throw new LaunchError(`the ${what} ${quotePath(file)} cannot be read (${errorCode(error)})`);
  } finally {
    await handle?.close();
  }
}

/** @throws LaunchError if the web UI's folder has no start page */
export async function checkWebui(folder: string): Promise<void> {
  const page = await stat(join(folder, "index.html")).catch(() => undefined);
  if (page?.isFile()) return;
  const found = await stat(folder).catch(() => undefined);
  const fault = found === undefined ? "does not exist" : found.isDirectory() ? "has no index.html" : "is not a folder";
  throw new LaunchError(`the web interface folder ${quotePath(folder)} ${fault}`);
}
