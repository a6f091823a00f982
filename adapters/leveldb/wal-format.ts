import { crc32 } from "node:zlib";
import type { StorageProblem } from "../../src/storage/health.js";
import type { LogBatch } from "../segments/store.js";

// The file format of the log, also in docs/reference/format-leveldb.md. All numbers are little-endian.
//
//     file    = header record*
//     header  = "ASWL" version:u8 cipher:u8 reserved:u16 keyId:u32 salt:8 bytes snapshot:f64 checksum:u32
//     record  = checksum:u32 length:u32 salt:8 bytes sequence:f64 text:utf8(length bytes)
//
// A checksum is a CRC-32 of everything after it in the record, or before it in the header. Every record contains the
// salt of its file, so that records of other files are recognized. The first record is the snapshot of the log;
// `snapshot` in the header is its length in bytes.

const MAGIC = 0x4c575341;
const VERSION = 2;
export const HEADER_BYTES = 32;
const RECORD_BYTES = 24;
export const SALT_BYTES = 8;
const SECTOR_BYTES = 512;

const NAME = /^\d{8}\.wal$/;

/** The files of the log among some names, the oldest first. */
export function walNames(names: readonly string[]): string[] {
  return names.filter((name) => NAME.test(name)).sort();
}

export function walName(number: number): string {
  return `${String(number).padStart(8, "0")}.wal`;
}

/** The first bytes of a file: its header and its snapshot. @param salt fresh random bytes */
export function encodeStart(salt: Uint8Array, snapshot: LogBatch): Buffer {
  const record = encodeRecord(salt, snapshot);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(MAGIC, 0);
  header.writeUInt8(VERSION, 4);
  header.set(salt, 12);
  header.writeDoubleLE(record.length, 20);
  header.writeUInt32LE(crc32(header.subarray(0, 28)), 28);
  return Buffer.concat([header, record]);
}

let room: Buffer = Buffer.allocUnsafe(64 * 1024);
const LARGEST_ROOM = 1024 * 1024;

/** The bytes of a record. Valid until the next call. */
export function encodeRecord(salt: Uint8Array, { sequence, text }: LogBatch): Buffer {
  const most = RECORD_BYTES + text.length * 3;
  const buffer = most <= room.length ? room : Buffer.allocUnsafe(most);
  if (most <= LARGEST_ROOM) room = buffer;
  const length = buffer.write(text, RECORD_BYTES, "utf8");
  const end = RECORD_BYTES + length;
  buffer.writeUInt32LE(length, 4);
  buffer.set(salt, 8);
  buffer.writeDoubleLE(sequence, 16);
  buffer.writeUInt32LE(crc32(buffer.subarray(4, end)), 0);
  return buffer.subarray(0, end);
}

/** A record with a valid checksum. */
export interface FoundRecord {
  readonly batch: LogBatch;
  readonly salt: Buffer;
  /** Start of this record and of the next one. */
  readonly at: number;
  readonly end: number;
}

/** The record at a position, if it is complete. */
export function recordAt(file: Buffer, at: number): FoundRecord | undefined {
  if (at + RECORD_BYTES > file.length) return undefined;
  const end = at + RECORD_BYTES + file.readUInt32LE(at + 4);
  if (end > file.length || crc32(file.subarray(at + 4, end)) !== file.readUInt32LE(at)) return undefined;
  const batch = { sequence: file.readDoubleLE(at + 16), text: file.toString("utf8", at + RECORD_BYTES, end) };
  return { batch, salt: file.subarray(at + 8, at + 8 + SALT_BYTES), at, end };
}

/** The content of a log file. */
export interface WalContent {
  /** The snapshot and the following batches up to the first gap; empty if the snapshot is incomplete. */
  readonly batches: readonly LogBatch[];
  /** End of the last batch. */
  readonly end: number;
  /** Number of complete records after the first invalid one. */
  readonly dropped: number;
  /** Whether the first invalid record was written completely and damaged later, rather than cut off. */
  readonly hasDamagedEnd: boolean;
  /**
   * Whether the snapshot seems incomplete: the file is shorter than its header claims, or contains a sector of zeros,
   * which a power cut leaves in place of unforced data.
   */
  readonly isTorn: boolean;
  readonly hasHeader: boolean;
}

/** Problems of a log file. */
export function problemsOf({ dropped, hasHeader, hasDamagedEnd }: WalContent): StorageProblem[] {
  const problems: StorageProblem[] = [];
  if (!hasHeader) problems.push({ kind: "damaged", message: "the header of the log is damaged" });
  if (hasDamagedEnd) {
    const count = dropped + 1;
    const message = `the log is damaged: ${count} records were dropped, the first of them damaged; the file is kept`;
    problems.push({ kind: "dropped", message });
  }
  return problems;
}

/** Reads a file of the log. */
export function readWal(file: Buffer): WalContent {
  const hasHeader =
    file.length >= HEADER_BYTES &&
    file.readUInt32LE(0) === MAGIC &&
    file.readUInt32LE(28) === crc32(file.subarray(0, 28));
  const batches: LogBatch[] = [];
  const first = recordAt(file, HEADER_BYTES);
  let end = HEADER_BYTES;
  for (let record = first; record !== undefined; record = recordAt(file, end)) {
    const before = batches.at(-1);
    if (before !== undefined && record.batch.sequence !== before.sequence + 1) break;
    if (first !== undefined && !record.salt.equals(first.salt)) break;
    batches.push(record.batch);
    end = record.end;
  }
  const dropped = end < file.length ? findRecords(file, end).length : 0;
  const hasDamagedEnd = dropped > 0 || (batches.length > 0 && isDamaged(file, end));
  return { batches, end, dropped, hasDamagedEnd, isTorn: first === undefined && isTorn(file, hasHeader), hasHeader };
}

/** Finds complete records at any position, to read beyond damage. @param at where the search starts */
export function findRecords(file: Buffer, at: number): FoundRecord[] {
  const found: FoundRecord[] = [];
  for (let place = at; place + RECORD_BYTES <= file.length; ) {
    // Cheap checks first: very few positions are the start of a record.
    const length = file.readUInt32LE(place + 4);
    const record = length <= file.length - place - RECORD_BYTES ? recordWithText(file, place) : undefined;
    if (record === undefined) place++;
    else {
      found.push(record);
      place = record.end;
    }
  }
  return found;
}

const BRACKET = 0x5b;

/** The record at a position. Each text starts with a bracket, so most positions need no checksum. */
function recordWithText(file: Buffer, at: number): FoundRecord | undefined {
  return file[at + RECORD_BYTES] === BRACKET ? recordAt(file, at) : undefined;
}

/** Whether an incomplete record is damaged rather than cut off. */
function isDamaged(file: Buffer, at: number): boolean {
  const room = file.length - at - RECORD_BYTES;
  if (room < 0) return false;
  if (file.readUInt32LE(at + 4) > room) {
    // The file ends before the record does: it was cut off, unless only the stored length is wrong.
    const repaired = Buffer.from(file.subarray(at));
    repaired.writeUInt32LE(room, 4);
    return recordAt(repaired, 0) !== undefined;
  }
  return !hasEmptySector(file, at);
}

/** Whether there is a sector of zeros: a power cut leaves them in place of unwritten data. */
function hasEmptySector(file: Buffer, from: number): boolean {
  for (let at = from; at < file.length; ) {
    const next = (Math.floor(at / SECTOR_BYTES) + 1) * SECTOR_BYTES;
    if (file.subarray(at, next).every((byte) => byte === 0)) return true;
    at = next;
  }
  return false;
}

function isTorn(file: Buffer, hasHeader: boolean): boolean {
  if (file.length < HEADER_BYTES) return true;
  if (hasHeader && HEADER_BYTES + file.readDoubleLE(20) > file.length) return true;
  return hasEmptySector(file, 0);
}
