import fs from "node:fs/promises";
import path from "node:path";
import { maskedCrc, type Reader, varint } from "./table-format.js";

// LevelDB's list of its tables: github.com/google/leveldb, doc/log_format.md and doc/impl.md.
//
//     file   = block*                     blocks of 32 KiB; a rest of less than 7 bytes at their ends is not used
//     block  = piece*
//     piece  = checksum:u32 length:u16 type:u8 bytes    type 1: a whole record; 2, 3, 4: its first, middle, last piece
//     record = (tag:varint field*)*

const BLOCK_BYTES = 32 * 1024;
const HEAD_BYTES = 7;

/** Numbers of the tables that count: others are left over, and may be cut off. `undefined` when that cannot be told. */
export async function liveTables(folder: string): Promise<ReadonlySet<number> | undefined> {
  try {
    const name = (await fs.readFile(path.join(folder, "CURRENT"), "utf8")).trim();
    const live = new Set<number>();
    for (const record of recordsOf(await fs.readFile(path.join(folder, name)))) apply(record, live);
    return live;
  } catch {
    return undefined;
  }
}

function* recordsOf(file: Buffer): Generator<Buffer> {
  let pieces: Buffer[] = [];
  for (let at = 0; at + HEAD_BYTES <= file.length; ) {
    const room = BLOCK_BYTES - (at % BLOCK_BYTES);
    if (room < HEAD_BYTES) {
      at += room;
      continue;
    }
    const end = at + HEAD_BYTES + file.readUInt16LE(at + 4);
    // The end was cut off by a crash; LevelDB itself refuses anything else.
    if (end > file.length || maskedCrc(file, at + 6, end) !== file.readUInt32LE(at)) return;
    const type = file[at + 6] as number;
    if (type <= 2) pieces = [];
    pieces.push(file.subarray(at + HEAD_BYTES, end));
    if (type === 1 || type === 4) yield Buffer.concat(pieces);
    at = end;
  }
}

/** Carries out what a record says of tables. */
function apply(record: Buffer, live: Set<number>): void {
  const reader: Reader = { bytes: record, at: 0 };
  const skipText = (): void => {
    const length = varint(reader);
    reader.at += length;
  };
  while (reader.at < record.length) {
    const tag = varint(reader);
    if (tag === 1) skipText();
    else if (tag === 2 || tag === 3 || tag === 4 || tag === 9) varint(reader);
    else if (tag === 5) {
      varint(reader);
      skipText();
    } else if (tag === 6) {
      varint(reader);
      live.delete(varint(reader));
    } else if (tag === 7) {
      varint(reader);
      live.add(varint(reader));
      varint(reader);
      skipText();
      skipText();
    } else throw new Error(`unknown tag ${tag}`);
  }
}
