import { ActivityError, messageOf } from "../../src/errors.js";
import { nodeCrypto } from "./node-crypto.js";

/** A key of 32 bytes: as bytes, or as text of 64 hexadecimal digits or of Base64. */
export type EncryptionKey = Uint8Array | string;

/**
 * How what is kept is encrypted: each value with AES-256-GCM, by keys that only the given key opens. Needs Node's
 * module `crypto`.
 *
 * Another key from one opening to the next is a rotation: an opening that finds the key before it, in `previousKeys` or
 * from `keyProvider`, wraps the data keys with the present one. Values stay as they are.
 */
export interface EncryptionOptions {
  /** The key. Whoever loses it loses the data. */
  readonly key?: EncryptionKey | undefined;
  /** Keys of former times: what one of them opens is wrapped with `key` at the opening. */
  readonly previousKeys?: readonly EncryptionKey[] | undefined;
  /**
   * Called at each opening in place of `key`: without an argument for the key of the present, and with the id of
   * another one (see `encryptionKeyId`) for what is still wrapped with that; `undefined` says that it is not known.
   */
  readonly keyProvider?: (keyId?: string) => EncryptionKey | undefined | Promise<EncryptionKey | undefined>;
}

const KEY_BYTES = 32;
const NAMES = new Set(["key", "previousKeys", "keyProvider"]);
const WANTED = "32 bytes, or their text: 64 hexadecimal digits, or Base64";

/**
 * The bytes of a key.
 *
 * @param what to call it in messages, which never show it
 * @throws TypeError
 */
export function keyBytes(key: unknown, what: string): Uint8Array {
  const bytes = typeof key === "string" ? bytesOfText(key.trim()) : key;
  if (bytes instanceof Uint8Array && bytes.length === KEY_BYTES) return Uint8Array.from(bytes);
  throw new TypeError(`${what} is no key: ${WANTED}, is expected`);
}

function bytesOfText(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Uint8Array.from(Buffer.from(text, "hex"));
  return /^[\w+/-]{43}=?$/.test(text) ? Uint8Array.from(Buffer.from(text, "base64")) : undefined;
}

/**
 * Names a key without telling anything of it: 16 hexadecimal digits. It stands beside what the key opens.
 *
 * @throws TypeError for what is no key
 */
export function keyIdOf(key: EncryptionKey): string {
  const hmac = nodeCrypto().createHmac("sha256", keyBytes(key, "what was given"));
  return hmac.update("activity-server key id").digest("hex").slice(0, 16);
}

/** Keys by id. */
export interface KeySource {
  /** The key of the present. */
  current(): Promise<Uint8Array>;
  /** Another one. */
  find(keyId: string): Promise<Uint8Array | undefined>;
  /** Equal for equal options. */
  readonly identity: string;
}

/** @throws TypeError for options that cannot work */
export function keySourceOf(options: EncryptionOptions): KeySource {
  if (typeof options !== "object" || options === null) throw new TypeError("encryption needs options: { key }");
  const unknown = Object.keys(options).find((name) => !NAMES.has(name));
  if (unknown !== undefined) throw new TypeError(`encryption has no option ${JSON.stringify(unknown)}`);
  nodeCrypto();
  const { key, previousKeys, keyProvider } = options;
  if ((key === undefined) === (keyProvider === undefined)) {
    throw new TypeError("encryption needs key or keyProvider, and not both");
  }
  if (keyProvider === undefined) return givenKeys(key, previousKeys ?? []);
  if (typeof keyProvider !== "function") throw new TypeError("encryption.keyProvider is no function");
  if (previousKeys !== undefined) throw new TypeError("encryption.previousKeys go with key; keyProvider has its own");
  return providedKeys(keyProvider);
}

function givenKeys(key: unknown, previousKeys: readonly unknown[]): KeySource {
  if (!Array.isArray(previousKeys)) throw new TypeError("encryption.previousKeys is no list of keys");
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
      return key === undefined ? undefined : keyBytes(key, "what keyProvider gave");
    } catch (cause) {
      throw new ActivityError("STORAGE_UNUSABLE", `no encryption key: ${messageOf(cause)}`, { cause });
    }
  };
  return {
    async current() {
      const key = await ask();
      if (key === undefined) throw new ActivityError("STORAGE_UNUSABLE", "no encryption key: keyProvider gave none");
      return key;
    },
    find: ask,
    identity: `provider ${number}`,
  };
}
