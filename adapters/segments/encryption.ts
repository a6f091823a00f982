import { ActivityError, messageOf } from "../../src/errors.js";
import { nodeCrypto } from "./node-crypto.js";

/** A key of 32 bytes: as bytes, or as a string of 64 hexadecimal digits or Base64. */
export type EncryptionKey = Uint8Array | string;

/**
 * Encryption options. Each value is encrypted with AES-256-GCM, with data keys that are wrapped by the given key.
 * Requires Node's module `crypto`.
 *
 * To rotate the key, open the storage with a new one, and pass the old one in `previousKeys` or return it from
 * `keyProvider`: the data keys are then wrapped with the new key. The values do not change.
 */
export interface EncryptionOptions {
  /** The key. Without it, the data are lost. */
  readonly key?: EncryptionKey | undefined;
  /** Previous keys. Data keys that one of them unwraps are wrapped with `key` at the opening. */
  readonly previousKeys?: readonly EncryptionKey[] | undefined;
  /**
   * Called at each opening instead of `key`: without an argument for the current key, and with the ID of another one
   * (see `encryptionKeyId`) if the data keys are still wrapped with it. Return `undefined` for an unknown key.
   */
  readonly keyProvider?: (keyId?: string) => EncryptionKey | undefined | Promise<EncryptionKey | undefined>;
}

const KEY_BYTES = 32;
const NAMES = new Set(["key", "previousKeys", "keyProvider"]);
const KEY_FORMATS = "32 bytes, or a string of 64 hexadecimal digits or Base64";

/**
 * Converts a key to bytes.
 *
 * @param what name in messages, which never contain the key
 * @throws TypeError
 */
export function keyBytes(key: unknown, what: string): Uint8Array {
  const bytes = typeof key === "string" ? decodeKey(key.trim()) : key;
  if (bytes instanceof Uint8Array && bytes.length === KEY_BYTES) return Uint8Array.from(bytes);
  throw new TypeError(`${what} must be ${KEY_FORMATS}`);
}

function decodeKey(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Uint8Array.from(Buffer.from(text, "hex"));
  return /^[\w+/-]{43}=?$/.test(text) ? Uint8Array.from(Buffer.from(text, "base64")) : undefined;
}

/**
 * Derives the ID of a key, 16 hexadecimal digits that reveal nothing about it. Stored with the wrapped data keys.
 *
 * @throws TypeError for an invalid key
 */
export function keyIdOf(key: EncryptionKey): string {
  const hmac = nodeCrypto().createHmac("sha256", keyBytes(key, "the key"));
  return hmac.update("activity-server key id").digest("hex").slice(0, 16);
}

/** Keys by ID. */
export interface KeySource {
  /** The current key. */
  current(): Promise<Uint8Array>;
  /** Looks up another key. */
  find(keyId: string): Promise<Uint8Array | undefined>;
  /** Equal for equal options. */
  readonly identity: string;
}

/** @throws TypeError for invalid options */
export function createKeySource(options: EncryptionOptions): KeySource {
  if (typeof options !== "object" || options === null)
    throw new TypeError("encryption must be an object of options, such as { key }");
  const unknown = Object.keys(options).find((name) => !NAMES.has(name));
  if (unknown !== undefined) throw new TypeError(`encryption has no option ${JSON.stringify(unknown)}`);
  nodeCrypto();
  const { key, previousKeys, keyProvider } = options;
  if ((key === undefined) === (keyProvider === undefined)) {
    throw new TypeError("encryption must have either key or keyProvider");
  }
  if (keyProvider === undefined) return fixedKeys(key, previousKeys ?? []);
  if (typeof keyProvider !== "function") throw new TypeError("encryption.keyProvider must be a function");
  if (previousKeys !== undefined)
    throw new TypeError("encryption.previousKeys can only be used with key; return previous keys from keyProvider");
  return providedKeys(keyProvider);
}

function fixedKeys(key: unknown, previousKeys: readonly unknown[]): KeySource {
  if (!Array.isArray(previousKeys)) throw new TypeError("encryption.previousKeys must be a list of keys");
  const current = keyBytes(key, "encryption.key");
  const previous = previousKeys.map((each, index) => keyBytes(each, `encryption.previousKeys[${index}]`));
  return {
    current: async () => current,
    find: async (keyId) => previous.find((each) => keyIdOf(each) === keyId),
    identity: [current, ...previous].map(keyIdOf).join(),
  };
}

let providers = 0;
const providerNumbers: WeakMap<object, number> = new WeakMap();

function providedKeys(provide: NonNullable<EncryptionOptions["keyProvider"]>): KeySource {
  const number = providerNumbers.get(provide) ?? ++providers;
  providerNumbers.set(provide, number);
  const ask = async (keyId?: string): Promise<Uint8Array | undefined> => {
    try {
      const key = await (keyId === undefined ? provide() : provide(keyId));
      return key === undefined ? undefined : keyBytes(key, "the result of keyProvider");
    } catch (cause) {
      throw new ActivityError("STORAGE_UNUSABLE", `no encryption key: ${messageOf(cause)}`, { cause });
    }
  };
  return {
    async current() {
      const key = await ask();
      if (key === undefined)
        throw new ActivityError("STORAGE_UNUSABLE", "no encryption key: keyProvider returned none");
      return key;
    },
    find: ask,
    identity: `provider ${number}`,
  };
}
