import { ActivityError, messageOf } from "../../src/errors.js";
import { crc32, sumText } from "./checksum.js";
import { keyIdOf } from "./encryption.js";
import { nodeCrypto } from "./node-crypto.js";

/**
 * Keys of a storage, wrapped with the owner's key. Stored as one line:
 *
 *     activity-server keys 1 KEYID BASE64 checksum CRC
 *
 *     BASE64   = salt:32 bytes  nonce:12 bytes  sealed  tag:16 bytes
 *     sealed   = names:32 bytes  data:32 bytes*
 *
 * `sealed` is encrypted with AES-256-GCM. HKDF derives its key from the owner's key and `salt`, which is new for each
 * line. The text before BASE64 is authenticated with it. KEYID is the ID of the owner's key. Data keys are numbered
 * from 1.
 */
export interface KeyRing {
  /** Derives opaque names of records. Constant for the life of the storage. */
  readonly names: Uint8Array;
  /** The last one encrypts new values. */
  readonly data: readonly Uint8Array[];
}

const KEY_BYTES = 32;
const SALT_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LINE = /^(activity-server keys (\d+) ([0-9a-f]{16})) ([\w+/=]+) checksum ([0-9a-f]{8})\n?$/;
const VERSION = 1;

/** Generates new keys. */
export function newRing(): KeyRing {
  const { randomBytes } = nodeCrypto();
  return { names: randomBytes(KEY_BYTES), data: [randomBytes(KEY_BYTES)] };
}

/** Wraps a key ring with the owner's key. */
export function wrapRing({ names, data }: KeyRing, key: Uint8Array): string {
  const { randomBytes, createCipheriv } = nodeCrypto();
  const head = `activity-server keys ${VERSION} ${keyIdOf(key)}`;
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const cipher = createCipheriv("aes-256-gcm", wrappingKey(key, salt), nonce).setAAD(Buffer.from(head));
  const sealed = Buffer.concat([cipher.update(Buffer.concat([names, ...data])), cipher.final()]);
  const content = `${head} ${Buffer.concat([salt, nonce, sealed, cipher.getAuthTag()]).toString("base64")}`;
  return `${content} checksum ${sumText(crc32(Buffer.from(content)))}\n`;
}

/** An intact line. */
export interface WrappedRing {
  /** ID of the owner's key. */
  readonly keyId: string;
  /** @throws Error for a key other than `keyId`, and for a forged line */
  unwrap(key: Uint8Array): KeyRing;
}

/**
 * @param name of the storage in messages
 * @returns `undefined` for a damaged line
 * @throws ActivityError `STORAGE_TOO_NEW`
 */
export function parseRing(line: string, name: string): WrappedRing | undefined {
  const [, head = "", version, keyId = "", base64 = "", checksum] = LINE.exec(line) ?? [];
  if (checksum !== sumText(crc32(Buffer.from(`${head} ${base64}`)))) return undefined;
  if (Number(version) !== VERSION) {
    const message = `${name} has encryption keys of version ${version}, this version reads ${VERSION}`;
    throw new ActivityError("STORAGE_TOO_NEW", `${message}: update activity-server`);
  }
  return { keyId, unwrap: (key) => unwrap(head, Buffer.from(base64, "base64"), key) };
}

function unwrap(head: string, bytes: Buffer, key: Uint8Array): KeyRing {
  const { createDecipheriv } = nodeCrypto();
  const sealedAt = SALT_BYTES + NONCE_BYTES;
  const wrapping = wrappingKey(key, bytes.subarray(0, SALT_BYTES));
  const decipher = createDecipheriv("aes-256-gcm", wrapping, bytes.subarray(SALT_BYTES, sealedAt));
  decipher.setAAD(Buffer.from(head));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  let keys: Buffer;
  try {
    keys = Buffer.concat([decipher.update(bytes.subarray(sealedAt, -TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new Error(`the keys cannot be unwrapped: ${messageOf(cause)}`, { cause });
  }
  const parts = Array.from({ length: keys.length / KEY_BYTES }, (_, index) =>
    Uint8Array.from(keys.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES)),
  );
  const [names, ...data] = parts;
  if (names === undefined || data.length === 0) throw new Error("keys are missing");
  return { names, data };
}

function wrappingKey(key: Uint8Array, salt: Uint8Array): Uint8Array {
  return new Uint8Array(nodeCrypto().hkdfSync("sha256", key, salt, "activity-server key wrap", KEY_BYTES));
}
