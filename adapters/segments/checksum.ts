// CRC-32 (ISO-HDLC, as in zlib): Node's native version is many times as fast as CRC-32C in JavaScript, and both detect
// every single-bit error. Other runtimes use a table.

type Crc = (bytes: Uint8Array, before?: number) => number;

interface Zlib {
  readonly crc32?: (bytes: Uint8Array, before: number) => number;
}

const native: Zlib["crc32"] = (globalThis.process?.getBuiltinModule?.("zlib") as Zlib | undefined)?.crc32;

/**
 * CRC-32 of bytes.
 *
 * @param before checksum of the preceding bytes, to continue
 */
export const crc32: Crc = native === undefined ? crcByTable : (bytes, before = 0) => native(bytes, before);

let table: Uint32Array | undefined;

/** CRC-32 without Node. */
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

/** The checksum of a stored text. Includes its key, so that a value under another key fails. */
export function checksumOf(key: string, text: string): number {
  return crc32(encoder.encode(`${key}\n${text}`));
}

const SUM_DIGITS = 8;

/** Formats a checksum with a fixed number of hexadecimal digits. */
export function sumText(sum: number): string {
  return sum.toString(16).padStart(SUM_DIGITS, "0");
}

/** A text preceded by its checksum. */
export interface TextWithSum {
  readonly stored: string;
  readonly sum: number;
}

/** Prepends a checksum over key and text. */
export function addSum(key: string, text: string): TextWithSum {
  const sum = checksumOf(key, text);
  return { stored: `${sumText(sum)} ${text}`, sum };
}

/**
 * Removes and checks a text's checksum.
 *
 * @throws Error if it is wrong
 */
export function removeSum(key: string, stored: string): { readonly text: string; readonly sum: number } {
  const text = stored.slice(SUM_DIGITS + 1);
  const sum = checksumOf(key, text);
  if (stored[SUM_DIGITS] === " " && stored.slice(0, SUM_DIGITS) === sumText(sum)) {
    return { text, sum };
  }
  throw new Error("its checksum is wrong");
}

/** Capacity that `addSumToBytes` needs at the end. */
export const SUM_BYTES: number = 4;

/** Writes a checksum over key and bytes to the reserved end of the bytes. */
export function addSumToBytes(key: string, bytes: Uint8Array): void {
  const sum = crc32(bytes.subarray(0, bytes.length - SUM_BYTES), crc32(encoder.encode(key)));
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).setUint32(bytes.length - SUM_BYTES, sum, true);
}

/**
 * Removes and checks the checksum of bytes.
 *
 * @throws Error if it is wrong
 */
export function removeSumFromBytes(key: string, bytes: Uint8Array): Uint8Array {
  const end = bytes.length - SUM_BYTES;
  if (end >= 0) {
    const stored = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(end, true);
    if (stored === crc32(bytes.subarray(0, end), crc32(encoder.encode(key)))) return bytes.subarray(0, end);
  }
  throw new Error("its checksum is wrong");
}
