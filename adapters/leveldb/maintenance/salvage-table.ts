import { decompress, maskedOf, nextCrc, type Reader, TRAILER_BYTES, varint } from "./table-format.js";

// Reads tables of LevelDB without their index, which is at the end. LevelDB itself cannot read a table that was cut
// off, or whose index is damaged. See table-format.ts for the format.

/** A version of a value in a table. */
export interface TableEntry {
  readonly key: string;
  /** `undefined` if it was deleted. */
  readonly value: Uint8Array | undefined;
  /** The version of a key with the largest number applies. */
  readonly sequence: bigint;
}

const SMALLEST_BLOCK = 8;
const LARGEST_BLOCK = 8 * 1024 * 1024;
/** Three numbers precede the first key of a block, and two more in a compressed one. */
const MAX_BEFORE_KEY = 14;
const KEY_KINDS: ReadonlySet<number> = new Set(Buffer.from("dgmr"));
const MARK = "!".charCodeAt(0);

/** All entries in the complete blocks of a table. */
export function* readTable(table: Buffer): Generator<TableEntry> {
  for (let at = 0; at + SMALLEST_BLOCK + TRAILER_BYTES <= table.length; ) {
    const end = endOfBlock(table, at);
    if (end === undefined) {
      at = nextStart(table, at + 1);
      continue;
    }
    try {
      const content = table.subarray(at, end - TRAILER_BYTES);
      yield* entriesOf(table[end - TRAILER_BYTES] === 1 ? decompress(content) : content);
    } catch {
      // Blocks of the filter and the index have other contents.
    }
    at = end;
  }
}

/** Finds the end of a block by trying its checksum; `undefined` if no complete block starts here. */
function endOfBlock(table: Buffer, start: number): number | undefined {
  const last = Math.min(table.length - TRAILER_BYTES, start + LARGEST_BLOCK);
  let crc = -1;
  for (let at = start; at <= last; at++) {
    const byte = table[at] as number;
    crc = nextCrc(crc, byte);
    if (byte <= 1 && at - start >= SMALLEST_BLOCK && maskedOf(crc) === table.readUInt32LE(at + 1)) {
      return at + TRAILER_BYTES;
    }
  }
  return undefined;
}

/** The next possible start of a block: shortly before bytes that look like a key. */
function nextStart(table: Buffer, from: number): number {
  for (let mark = table.indexOf(MARK, from + 2); mark > 0; mark = table.indexOf(MARK, mark + 1)) {
    // The first key of a block shares nothing with a previous one, so a zero is shortly before it.
    const key = mark - 1;
    if (!KEY_KINDS.has(table[key] as number) || !table.subarray(Math.max(0, key - 6), key).includes(0)) continue;
    const earliest = Math.max(from, key - MAX_BEFORE_KEY);
    for (let at = earliest; at < key; at++) if (at >= from && endOfBlock(table, at) !== undefined) return at;
  }
  return table.length;
}

function* entriesOf(block: Uint8Array): Generator<TableEntry> {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  const end = block.length - 4 - 4 * view.getUint32(block.length - 4, true);
  const reader: Reader = { bytes: block, at: 0 };
  let key = Buffer.alloc(0);
  while (reader.at < end) {
    const [shared, rest, length] = [varint(reader), varint(reader), varint(reader)];
    const valueAt = reader.at + rest;
    if (shared > key.length || valueAt + length > end) throw new Error("no block of entries");
    key = Buffer.concat([key.subarray(0, shared), block.subarray(reader.at, valueAt)]);
    reader.at = valueAt + length;
    // The last eight bytes: type and sequence number.
    const tag = key.readBigUInt64LE(key.length - 8);
    const value = (tag & 0xffn) === 0n ? undefined : block.subarray(valueAt, reader.at);
    yield { key: key.toString("utf8", 0, key.length - 8), value, sequence: tag >> 8n };
  }
}
