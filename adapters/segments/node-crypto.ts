/** The used part of Node's module `crypto`. */
export interface NodeCrypto {
  randomBytes(size: number): Buffer;
  createCipheriv(cipher: "aes-256-gcm", key: Uint8Array, nonce: Uint8Array): Cipher & { getAuthTag(): Buffer };
  createDecipheriv(
    cipher: "aes-256-gcm",
    key: Uint8Array,
    nonce: Uint8Array,
  ): Cipher & { setAuthTag(tag: Uint8Array): unknown };
  createHmac(hash: "sha256", key: Uint8Array): Hmac;
  hkdfSync(hash: "sha256", key: Uint8Array, salt: Uint8Array, info: string, length: number): ArrayBuffer;
}

interface Cipher {
  setAAD(bytes: Uint8Array): this;
  update(bytes: Uint8Array): Buffer;
  final(): Buffer;
}

interface Hmac {
  update(text: string): this;
  digest(encoding: "hex" | "base64url"): string;
}

/** Node's module, whose encryption is synchronous. @throws TypeError in runtimes without it */
export function nodeCrypto(): NodeCrypto {
  const crypto: NodeCrypto | undefined = globalThis.process?.getBuiltinModule?.("crypto");
  if (crypto === undefined) throw new TypeError("encryption needs Node's module crypto, which this runtime lacks");
  return crypto;
}
