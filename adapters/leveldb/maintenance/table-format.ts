// LevelDB's table format, for check and salvage: github.com/google/leveldb, doc/table_format.md.
//
//     block = content type:u8 checksum:u32      type 0: plain, 1: compressed by Snappy; CRC-32C, masked, over both
//     content = entry* restart:u32* restarts:u32
//     entry = shared:varint rest:varint length:varint key:bytes(rest) value:bytes(length)

/** Type and checksum after the content of a block. */
export const TRAILER_BYTES = 5;
/** Maximum size of a decompressed block. */
const LARGEST_BLOCK = 32 * 1024 * 1024;

/** Bytes and a position in them. */
export interface Reader {
  readonly bytes: Uint8Array;
  at: number;
}

/** Reads a number of 7 bits per byte. @throws Error if there is none */
export function varint(reader: Reader): number {
  let value = 0;
  for (let shift = 0; shift < 64; shift += 7) {
    const byte = reader.bytes[reader.at++] ?? 0;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
  throw new Error("no number");
}

/** Snappy: github.com/google/snappy, format_description.txt. @throws Error for anything else */
export function decompress(bytes: Uint8Array): Uint8Array {
  const reader = { bytes, at: 0 };
  const length = varint(reader);
  if (length > LARGEST_BLOCK) throw new Error("no compressed block");
  const output = new Uint8Array(length);
  let filled = 0;
  while (reader.at < bytes.length) {
    const tag = bytes[reader.at++] as number;
    const kind = tag & 3;
    if (kind === 0) {
      const short = tag >> 2;
      const size = (short < 60 ? short : number(reader, short - 59)) + 1;
      output.set(bytes.subarray(reader.at, reader.at + size), filled);
      reader.at += size;
      filled += size;
      continue;
    }
    const size = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const distance = kind === 1 ? ((tag >> 5) << 8) + number(reader, 1) : number(reader, kind === 2 ? 2 : 4);
    if (distance === 0 || distance > filled || filled + size > length) throw new Error("no compressed block");
    // A copy may overlap its own output.
    for (let index = 0; index < size; index++) output[filled + index] = output[filled + index - distance] as number;
    filled += size;
  }
  if (filled !== length) throw new Error("no compressed block");
  return output;
}

function number(reader: Reader, size: number): number {
  let value = 0;
  for (let index = 0; index < size; index++) value += (reader.bytes[reader.at++] ?? 0) * 256 ** index;
  return value;
}

/** The masked CRC-32C of the bytes between two positions. */
export function maskedCrc(bytes: Uint8Array, from: number, end: number): number {
  const [A, B, C, D, E, F, G, H] = CRC_TABLES as [Table, Table, Table, Table, Table, Table, Table, Table];
  let crc = -1;
  let at = from;
  // Eight bytes at a time: four times as fast as one by one.
  for (; at + 8 <= end; at += 8) {
    // One expression: calls are slow before they are compiled, and this runs at every start.
    crc ^=
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    crc =
      (H[crc & 0xff] as number) ^
      (G[(crc >>> 8) & 0xff] as number) ^
      (F[(crc >>> 16) & 0xff] as number) ^
      (E[crc >>> 24] as number) ^
      (D[bytes[at + 4] as number] as number) ^
      (C[bytes[at + 5] as number] as number) ^
      (B[bytes[at + 6] as number] as number) ^
      (A[bytes[at + 7] as number] as number);
  }
  for (; at < end; at++) crc = nextCrc(crc, bytes[at] as number);
  return maskedOf(crc);
}

/** Adds a byte to a CRC-32C, which starts at -1. */
export function nextCrc(crc: number, byte: number): number {
  return (crc >>> 8) ^ entry(CRC_TABLES[0] as Table, crc ^ byte);
}

/** The masked form of a CRC-32C, as stored in tables. */
export function maskedOf(crc: number): number {
  return (((~crc >>> 15) | (~crc << 17)) + 0xa282ead8) >>> 0;
}

type Table = Int32Array;

function entry(table: Table, index: number): number {
  return table[index & 0xff] as number;
}

const CRC_TABLES: readonly Table[] = crcTables();

function crcTables(): Table[] {
  const tables = Array.from({ length: 8 }, () => new Int32Array(256));
  const [first, ...others] = tables as [Table, ...Table[]];
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
    first[byte] = value;
  }
  for (let byte = 0; byte < 256; byte++) {
    let value = first[byte] as number;
    for (const table of others) {
      value = (value >>> 8) ^ entry(first, value);
      table[byte] = value;
    }
  }
  return tables;
}
