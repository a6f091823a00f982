import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { EncryptionOptions } from "../../adapters/leveldb/index.js";
import { givenText, type Setting, type Settings } from "./arguments.js";
import { openToOthers, quoted, readableByOthers } from "./data-folder.js";
import { readShortFile } from "./given-files.js";
import { LaunchError } from "./launch-error.js";

/** The source of a data folder's key. */
export interface GivenKey {
  /** An absolute path; `undefined` if the key itself is given. */
  readonly file: string | undefined;
  /** The key; never shown. */
  readonly text: string | undefined;
}

/** A key that was read. */
export interface ReadKey {
  readonly key: string;
  /** A warning if others can read its file. */
  readonly warning: string | undefined;
}

const WAYS = "--encryption-key-file and ACTIVITY_SERVER_ENCRYPTION_KEY";
const WANTED = "32 bytes, as they are or as 64 hexadecimal digits or Base64; `openssl rand -base64 32` makes one";

/**
 * The given source of the key.
 *
 * @param pathOf resolves a given path
 * @throws LaunchError for two sources at once
 */
export function givenKeyOf(
  settings: Settings,
  pathOf: (setting: Setting<string> | undefined) => string | undefined,
): GivenKey | undefined {
  const given = (name: string) => givenText(settings, name);
  const [file, text] = [pathOf(given("encryption-key-file")), given("encryption-key")?.value];
  if (file === undefined && text === undefined) return undefined;
  if (file !== undefined && text !== undefined) throw new LaunchError(`${WAYS} are both set: which key is meant?`);
  return { file, text };
}

/** @throws LaunchError for an invalid key, without showing it */
export async function readKey({ file, text = "" }: GivenKey): Promise<ReadKey> {
  if (file !== undefined) return readKeyFile(file);
  if (!isKey(text)) throw new LaunchError(`ACTIVITY_SERVER_ENCRYPTION_KEY holds no key: it takes ${WANTED}`);
  return { key: text, warning: undefined };
}

/** @throws LaunchError for a file without a key */
export async function readKeyFile(file: string): Promise<ReadKey> {
  const { bytes, mode } = await readShortFile(file, "encryption key file");
  const text = bytes.toString("latin1").trim();
  // 32 printable characters are not random bytes, but a password or a shorter key.
  const isRaw = bytes.length === 32 && !/^[\x20-\x7e\s]+$/.test(bytes.toString("latin1"));
  if (!isRaw && !isKey(text)) {
    throw new LaunchError(`the encryption key file ${quoted(file)} holds no key: it takes ${WANTED}`);
  }
  const isOpen = mode !== undefined && openToOthers(mode);
  return {
    key: isRaw ? bytes.toString("hex") : text,
    warning: isOpen ? readableByOthers("encryption key file", file, 600) : undefined,
  };
}

/** The encryption options of a folder. */
export async function encryptionWith(
  given: GivenKey | undefined,
): Promise<{ readonly encryption?: EncryptionOptions }> {
  return given === undefined ? {} : { encryption: { key: (await readKey(given)).key } };
}

/** Whether a data folder contains wrapped keys. */
export async function isEncryptedFolder(folder: string): Promise<boolean> {
  return (await stat(join(folder, "KEYS")).catch(() => undefined)) !== undefined;
}

function isKey(text: string): boolean {
  return /^(?:[0-9a-f]{64}|[\w+/-]{43}=?)$/i.test(text);
}
