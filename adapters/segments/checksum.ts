// CRC-32 (ISO-HDLC, the one of zlib): Node computes it natively, many times faster than CRC-32C in JavaScript, and both
// find every single flipped bit. Elsewhere a table does.

type Crc = (bytes: Uint8Array, before?: number) => number;

interface Zlib {
  readonly crc32?: (bytes: Uint8Array, before: number) => number;
}

const native: Zlib["crc32"] = (globalThis.process?.getBuiltinModule?.("zlib") as Zlib | undefined)?.crc32;

/**
 * CRC-32 of bytes.
 *
 * @param before checksum of what stands in front of them, to be continued
 */
export const crc32: Crc = native === undefined ? crcByTable : (bytes, before = 0) => native(bytes, before);

let table: Uint32Array | undefined;

/** The same without Node. */
export function crcByTable(bytes: Uint8Array, before: number = 0): number {
  table ??= Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });
  let crc = ~before;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] as number);
  return ~crc >>> 0;
}

const encoder: TextEncoder = new TextEncoder();

/** The checksum of a kept text; its key is part of it, so that a value under another key fails. */
export function checksumOf(key: string, text: string): number {
  return crc32(encoder.encode(`${key}\n${text}`));
}

const SUM_DIGITS = 8;

/** A checksum as it is written into texts: hexadecimal, always as long. */
export function sumText(sum: number): string {
  return sum.toString(16).padStart(SUM_DIGITS, "0");
}

/** A text with its checksum in front. */
export interface TextWithSum {
  readonly stored: string;
  readonly sum: number;
}

/** Puts a checksum over key and text in front of a text. */
export function addSum(key: string, text: string): TextWithSum {
  const sum = checksumOf(key, text);
  return { stored: `${sumText(sum)} ${text}`, sum };
}

/**
 * Takes the checksum off a text.
 *
 * @throws Error when it does not fit
 */
export function takeSum(key: string, stored: string): { readonly text: string; readonly sum: number } {
  const text = stored.slice(SUM_DIGITS + 1);
  const sum = checksumOf(key, text);
  if (stored[SUM_DIGITS] === " " && stored.slice(0, SUM_DIGITS) === sumText(sum)) {
    return { text, sum };
  }
  throw new Error("its checksum is wrong");
}

/** Bytes that `addSumToBytes` needs at the end. */
export const SUM_BYTES: number = 4;

/** Puts a checksum over key and bytes behind bytes that have room for it at their end. */
export function addSumToBytes(key: string, bytes: Uint8Array): void {
  const sum = crc32(bytes.subarray(0, bytes.length - SUM_BYTES), crc32(encoder.encode(key)));
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).setUint32(bytes.length - SUM_BYTES, sum, true);
}

/**
 * Takes the checksum off bytes.
 *
 * @throws Error when it does not fit
 */
export function takeSumFromBytes(key: string, bytes: Uint8Array): Uint8Array {
  const end = bytes.length - SUM_BYTES;
  if (end >= 0) {
    const stored = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(end, true);
    if (stored === crc32(bytes.subarray(0, end), crc32(encoder.encode(key)))) return bytes.subarray(0, end);
  }
  throw new Error("its checksum is wrong");
}
