import { sha256 } from "./sha256.js";

const BLOCK_BYTES = 64;

const encoder: TextEncoder = new TextEncoder();

/** HMAC-SHA256 (RFC 2104) of strings, in lower-case hexadecimal. */
export function hmacSha256(key: string, message: string): string {
  const given = encoder.encode(key);
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(given.length > BLOCK_BYTES ? digest(given) : given);
  const inner = digest(
    block.map((byte) => byte ^ 0x36),
    encoder.encode(message),
  );
  return hex(
    digest(
      block.map((byte) => byte ^ 0x5c),
      inner,
    ),
  );
}

function digest(...parts: readonly Uint8Array[]): Uint8Array {
  const running = sha256();
  for (const part of parts) running.update(part);
  return Uint8Array.from(running.hex().match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
