import { nodeCrypto } from "./node-crypto.js";

/**
 * A sealed value:
 *
 *     version:u8  cipher:u8  keyId:u32  salt:16 bytes  counter:u48  sealed  tag:16 bytes
 *
 * Encrypted with AES-256-GCM. HKDF derives its key from the data key `keyId` and `salt`; `counter` is the nonce. A salt
 * is random and belongs to one sealer, which counts only in memory. So no pair of key and nonce repeats: not after a
 * crash, not after a power loss that reverts writes, and not in a copy of the storage. The value's place is
 * authenticated as well: it does not open under another name.
 */
const VERSION = 2;
const CIPHER = 1;
const SALT_AT = 6;
const SALT_BYTES = 16;
const COUNTER_AT = SALT_AT + SALT_BYTES;
const COUNTER_BYTES = 6;
const HEAD_BYTES = COUNTER_AT + COUNTER_BYTES;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
const KEY_BYTES = 32;

/** Seals values of one opening or of one log. */
export class Sealer {
  /** Identifies the sealer. */
  readonly salt: string;
  readonly #key: Uint8Array;
  readonly #head: Buffer;
  #counter = 0;

  /** @param keyId number of the data key */
  constructor(dataKey: Uint8Array, keyId: number) {
    const salt = nodeCrypto().randomBytes(SALT_BYTES);
    this.salt = salt.toString("latin1");
    this.#key = derived(dataKey, salt);
    this.#head = Buffer.alloc(HEAD_BYTES);
    this.#head.writeUInt8(VERSION, 0);
    this.#head.writeUInt8(CIPHER, 1);
    this.#head.writeUInt32LE(keyId, 2);
    salt.copy(this.#head, SALT_AT);
  }

  /** @param place name of the value, required to open it */
  seal(place: string, plain: Uint8Array): Buffer {
    const head = Buffer.from(this.#head);
    head.writeUIntLE(this.#counter++, COUNTER_AT, COUNTER_BYTES);
    const cipher = nodeCrypto().createCipheriv("aes-256-gcm", this.#key, nonceOf(head)).setAAD(Buffer.from(place));
    return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Maximum number of cached keys. There is one for each opening and each log. */
const MAX_KEYS = 10_000;

/** Opens sealed values. */
export class Opener {
  readonly #dataKeys: readonly Uint8Array[];
  readonly #keys: Map<string, Uint8Array> = new Map();

  /** @param dataKeys the first one has the number 1 */
  constructor(dataKeys: readonly Uint8Array[]) {
    this.#dataKeys = dataKeys;
  }

  /** @throws Error for bytes that were changed, or sealed for another place or with another key */
  open(place: string, sealed: Uint8Array): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    if (bytes.length < HEAD_BYTES + TAG_BYTES || bytes[0] !== VERSION || bytes[1] !== CIPHER) throw unreadable();
    const cipher = nodeCrypto().createDecipheriv("aes-256-gcm", this.#keyOf(bytes), nonceOf(bytes));
    cipher.setAAD(Buffer.from(place));
    cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const plain = cipher.update(bytes.subarray(HEAD_BYTES, -TAG_BYTES));
      cipher.final();
      return plain;
    } catch {
      throw unreadable();
    }
  }

  #keyOf(bytes: Buffer): Uint8Array {
    const id = bytes.toString("latin1", 2, COUNTER_AT);
    const known = this.#keys.get(id);
    if (known !== undefined) return known;
    const dataKey = this.#dataKeys[bytes.readUInt32LE(2) - 1];
    if (dataKey === undefined) throw unreadable();
    const key = derived(dataKey, bytes.subarray(SALT_AT, COUNTER_AT));
    if (this.#keys.size >= MAX_KEYS) this.#keys.clear();
    this.#keys.set(id, key);
    return key;
  }
}

/** The salt of a sealed value, in the format of `Sealer.salt`. */
export function saltOf(sealed: Buffer): string {
  return sealed.toString("latin1", SALT_AT, COUNTER_AT);
}

function unreadable(): Error {
  return new Error("it cannot be decrypted");
}

function nonceOf(head: Buffer): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  head.copy(nonce, 0, COUNTER_AT, HEAD_BYTES);
  return nonce;
}

function derived(dataKey: Uint8Array, salt: Uint8Array): Uint8Array {
  return new Uint8Array(nodeCrypto().hkdfSync("sha256", dataKey, salt, "activity-server values", KEY_BYTES));
}
