import { crc32 } from "node:zlib";
import type { Operation } from "./database.js";
import { del, putText } from "./layout.js";

// A record of the journal: length of the text, checksum, number (8 bytes, big endian each), and then the text: two
// lines for each operation, its key and its value. docs/storage.md has it, too.

/** Operations that were written together. */
export interface JournalRecord {
  /** Counts up by one from record to record, through all files. */
  readonly no: number;
  readonly operations: readonly Operation[];
}

const HEAD_BYTES = 16;
const CHECKED_FROM = 8;
/** In the place of a value. Values are JSON or empty, so none is this. */
const DELETED = "-";

let room: Buffer = Buffer.allocUnsafe(64 * 1024);

/**
 * The bytes of a record; valid until the next call.
 *
 * @param operations of text alone
 * @param salt of the database: records of another one do not pass the check
 */
export function encodeRecord(operations: readonly Operation[], no: number, salt: number): Uint8Array {
  let text = "";
  for (const operation of operations) {
    text += `${operation.key}\n${operation.type === "del" ? DELETED : (operation.value as string)}\n`;
  }
  const most = HEAD_BYTES + text.length * 3;
  if (room.length < most) room = Buffer.allocUnsafe(most);
  const length = room.write(text, HEAD_BYTES, "utf8");
  const end = HEAD_BYTES + length;
  room.writeUInt32BE(length, 0);
  room.writeDoubleBE(no, CHECKED_FROM);
  room.writeUInt32BE(crc32(room.subarray(CHECKED_FROM, end), salt), 4);
  return room.subarray(0, end);
}

/**
 * The records at the beginning of a file. What follows the last one is of earlier use, or was cut off by a crash and
 * never acknowledged.
 */
export function* decodeRecords(bytes: Uint8Array, salt: number): Generator<JournalRecord> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + HEAD_BYTES <= file.length; ) {
    const end = at + HEAD_BYTES + file.readUInt32BE(at);
    if (end > file.length) return;
    if (crc32(file.subarray(at + CHECKED_FROM, end), salt) !== file.readUInt32BE(at + 4)) return;
    const lines = file.toString("utf8", at + HEAD_BYTES, end).split("\n");
    yield { no: file.readDoubleBE(at + CHECKED_FROM), operations: operationsOf(lines) };
    at = end;
  }
}

function operationsOf(lines: readonly string[]): Operation[] {
  const operations: Operation[] = [];
  for (let line = 0; line + 1 < lines.length; line += 2) {
    const [key, value] = lines.slice(line, line + 2) as [string, string];
    operations.push(value === DELETED ? del(key) : putText(key, value));
  }
  return operations;
}
