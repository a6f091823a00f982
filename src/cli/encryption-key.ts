import { join } from "node:path";
import type { EncryptionOptions } from "../../adapters/leveldb/index.js";
import { type Setting, type Settings, stringSetting } from "./arguments.js";
import { exists, isOpenToOthers, openAccessWarning, quotePath } from "./data-folder.js";
import { LaunchError } from "./launch-error.js";
import { readShortFile } from "./option-files.js";

/** The source of a data folder's key. */
export interface KeySource {
  /** An absolute path; `undefined` if the key itself is given. */
  readonly file: string | undefined;
  /** The key; never shown. */
  readonly text: string | undefined;
}

/** A key that was read. */
export interface LoadedKey {
  readonly key: string;
  /** A warning if others can read its file. */
  readonly warning: string | undefined;
}

const KEY_OPTIONS = "--encryption-key-file and ACTIVITY_SERVER_ENCRYPTION_KEY";
const KEY_FORMAT = "32 bytes (raw, 64 hexadecimal digits, or Base64); create one with: openssl rand -base64 32";

/**
 * The given source of the key.
 *
 * @param parsePath resolves a given path
 * @throws LaunchError for two sources at once
 */
export function parseKeySource(
  settings: Settings,
  parsePath: (setting: Setting<string> | undefined) => string | undefined,
): KeySource | undefined {
  const given = (name: string) => stringSetting(settings, name);
  const [file, text] = [parsePath(given("encryption-key-file")), given("encryption-key")?.value];
  if (file === undefined && text === undefined) return undefined;
  if (file !== undefined && text !== undefined) throw new LaunchError(`${KEY_OPTIONS} are both set; use one of them`);
  return { file, text };
}

/** @throws LaunchError for an invalid key, without showing it */
export async function readKey({ file, text = "" }: KeySource): Promise<LoadedKey> {
  if (file !== undefined) return readKeyFile(file);
  if (!isEncodedKey(text)) throw new LaunchError(`ACTIVITY_SERVER_ENCRYPTION_KEY must be ${KEY_FORMAT}`);
  return { key: text, warning: undefined };
}

/** @throws LaunchError for a file without a key */
export async function readKeyFile(file: string): Promise<LoadedKey> {
  const { bytes, mode } = await readShortFile(file, "encryption key file");
  const text = bytes.toString("latin1").trim();
  // 32 printable characters are not random bytes, but a password or a shorter key.
  const isRaw = bytes.length === 32 && !/^[\x20-\x7e\s]+$/.test(bytes.toString("latin1"));
  if (!isRaw && !isEncodedKey(text)) {
    throw new LaunchError(`the encryption key file ${quotePath(file)} must contain ${KEY_FORMAT}`);
  }
  const isOpen = mode !== undefined && isOpenToOthers(mode);
  return {
    key: isRaw ? bytes.toString("hex") : text,
    warning: isOpen ? openAccessWarning("encryption key file", file, 600) : undefined,
  };
}

/** The encryption options of a folder. */
export async function readEncryption(
  given: KeySource | undefined,
): Promise<{ readonly encryption?: EncryptionOptions }> {
  return given === undefined ? {} : { encryption: { key: (await readKey(given)).key } };
}

/** Whether a data folder contains wrapped keys. */
export async function isEncryptedFolder(folder: string): Promise<boolean> {
  return exists(join(folder, "KEYS"));
}

function isEncodedKey(text: string): boolean {
  return /^(?:[0-9a-f]{64}|[\w+/-]{43}=?)$/i.test(text);
}
