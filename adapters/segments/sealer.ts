import { nodeCrypto } from "./node-crypto.js";

/**
 * A sealed value:
 *
 *     version:u8  cipher:u8  keyId:u32  salt:16 bytes  counter:u48  sealed  tag:16 bytes
 *
 * AES-256-GCM by a key that HKDF makes of the data key `keyId` and `salt`; `counter` is the nonce. A salt is random and
 * belongs to one sealer, which counts in memory only, so no pair of key and nonce is used twice: not after a crash, not
 * after a power cut that takes back what was written, and not by two copies of a storage. The place of the value is
 * authenticated with it: under another name it does not open.
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

/** Seals values of one time: from an opening to its end, or those of one log. */
export class Sealer {
  /** Tells sealers apart. */
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

  /** @param place names the value, and is needed to open it */
  seal(place: string, plain: Uint8Array): Buffer {
    const head = Buffer.from(this.#head);
    head.writeUIntLE(this.#counter++, COUNTER_AT, COUNTER_BYTES);
    const cipher = nodeCrypto().createCipheriv("aes-256-gcm", this.#key, nonceOf(head)).setAAD(Buffer.from(place));
    return Buffer.concat([head, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Keys of this many sealers are kept: there is one for each opening and for each log. */
const MOST_KEYS = 10_000;

/** Opens what sealers have sealed. */
export class Opener {
  readonly #dataKeys: readonly Uint8Array[];
  readonly #keys: Map<string, Uint8Array> = new Map();

  /** @param dataKeys the first one has the number 1 */
  constructor(dataKeys: readonly Uint8Array[]) {
    this.#dataKeys = dataKeys;
  }

  /** @throws Error for bytes that were changed, or sealed for another place or by another key */
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
    if (this.#keys.size >= MOST_KEYS) this.#keys.clear();
    this.#keys.set(id, key);
    return key;
  }
}

/** The salt of a sealed value, as `Sealer.salt` has it. */
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
