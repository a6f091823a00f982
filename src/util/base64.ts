// Bytes in strings. Pure JavaScript: Node 20 has no fast codec that browsers also have.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const CODES: Uint8Array = Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
const VALUES: Uint8Array = new Uint8Array(128);
for (const [value, code] of CODES.entries()) VALUES[code] = value;

const decoder = new TextDecoder();

/** Bytes as base64, without padding. */
export function toBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(Math.ceil((bytes.length * 4) / 3));
  let at = 0;
  for (let index = 0; index < bytes.length; index += 3) {
    const triple = (byteAt(bytes, index) << 16) | (byteAt(bytes, index + 1) << 8) | byteAt(bytes, index + 2);
    text[at++] = byteAt(CODES, triple >> 18);
    text[at++] = byteAt(CODES, (triple >> 12) & 63);
    // Writes after the end of the array have no effect.
    text[at++] = byteAt(CODES, (triple >> 6) & 63);
    text[at++] = byteAt(CODES, triple & 63);
  }
  return decoder.decode(text);
}

/** Decodes base64 without padding. Invalid characters count as zero: the reader verifies a checksum. */
export function fromBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let at = 0;
  for (let index = 0; index < text.length; index += 4) {
    const quad =
      (valueAt(text, index) << 18) |
      (valueAt(text, index + 1) << 12) |
      (valueAt(text, index + 2) << 6) |
      valueAt(text, index + 3);
    bytes[at++] = quad >> 16;
    bytes[at++] = quad >> 8;
    bytes[at++] = quad;
  }
  return bytes;
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}

function valueAt(text: string, index: number): number {
  return VALUES[text.charCodeAt(index)] ?? 0;
}
