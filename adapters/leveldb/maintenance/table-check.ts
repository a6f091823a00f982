import fs from "node:fs/promises";
import path from "node:path";
import { ifCode } from "../../../src/errors.js";
import { tableNumber } from "../level-files.js";
import { liveTables } from "./manifest.js";
import { decompress, maskedCrc, type Reader, TRAILER_BYTES, varint } from "./table-format.js";

// LevelDB ignores the checksums of its tables, and impossible keys crash the process. So its tables are checked before
// it reads them.

const FOOTER_BYTES = 48;
const MAGIC = 0xdb4775248b80fb57n;
/** Type and sequence number at the end of each key. */
const TAG_BYTES = 8;

/**
 * The state of a table. `damaged`: some values are wrong, as their own checksums show. `unsafe`: LevelDB must not read
 * it.
 */
export type TableState = "sound" | "damaged" | "unsafe";

interface Block {
  readonly start: number;
  /** End of its content, and start of its trailer. */
  readonly end: number;
}

/** A table of a database. */
export interface TableFile {
  readonly name: string;
  readonly bytes: number;
}

/** The tables of a database with their sizes. Leftovers are not included: LevelDB does not read them. */
export async function tablesIn(folder: string): Promise<TableFile[]> {
  const live = await liveTables(folder);
  const names = (await fs.readdir(folder)).filter((name) => {
    const number = tableNumber(name);
    return number !== undefined && (live === undefined || live.has(number));
  });
  const sizes = names.map(async (name) => {
    const stat = await fs.stat(path.join(folder, name)).catch(() => undefined);
    return stat === undefined ? [] : [{ name, bytes: stat.size }];
  });
  return (await Promise.all(sizes)).flat();
}

/**
 * The first table that LevelDB must not read.
 *
 * @param pause awaited after each table
 */
export async function unsafeTable(
  folder: string,
  tables: readonly TableFile[],
  pause?: () => Promise<void>,
): Promise<string | undefined> {
  for (const { name } of tables) {
    // A missing table was compacted in the meantime.
    const table = await fs.readFile(path.join(folder, name)).catch(ifCode("ENOENT", undefined));
    if (table !== undefined && stateOfTable(table) === "unsafe") return name;
    await pause?.();
  }
  return undefined;
}

/** Checks every block of a table, and that they cover the table without a gap. */
export function stateOfTable(table: Buffer): TableState {
  const footer = table.length - FOOTER_BYTES;
  if (footer < 0 || table.readBigUInt64LE(table.length - 8) !== MAGIC) return "unsafe";
  try {
    const reader = { bytes: table, at: footer };
    const meta = blockAt(reader);
    const index = blockAt(reader);
    if (meta.end + TRAILER_BYTES !== index.start || index.end + TRAILER_BYTES !== footer) return "unsafe";
    if (!isSound(table, meta) || !isSound(table, index)) return "unsafe";
    let end = 0;
    let state: TableState = "sound";
    let before: Buffer | undefined;
    for (const { key, value } of entriesOf(contentOf(table, index))) {
      const block = blockAt({ bytes: value, at: 0 });
      if (block.start !== end) return "unsafe";
      end = block.end + TRAILER_BYTES;
      if (!isSound(table, block)) {
        state = "damaged";
        assertReadable(table, block, { before, last: key });
      }
      before = key;
    }
    // The optional filter is between the data and the index.
    const filter = { start: end, end: meta.start - TRAILER_BYTES };
    return end === meta.start || isSound(table, filter) ? state : "unsafe";
  } catch {
    return "unsafe";
  }
}

function blockAt(reader: Reader): Block {
  const start = varint(reader);
  return { start, end: start + varint(reader) };
}

function isSound(table: Buffer, { start, end }: Block): boolean {
  if (start > end || end + TRAILER_BYTES > table.length) return false;
  // The checksum includes the type of the block.
  return maskedCrc(table, start, end + 1) === table.readUInt32LE(end + 1);
}

function contentOf(table: Buffer, { start, end }: Block): Uint8Array {
  const content = table.subarray(start, end);
  return table[end] === 1 ? decompress(content) : content;
}

/**
 * Walks through a damaged block like LevelDB.
 *
 * @param range that its keys must be in, according to the index
 * @throws Error for impossible keys
 */
function assertReadable(
  table: Buffer,
  block: Block,
  range: { readonly before: Buffer | undefined; readonly last: Buffer },
): void {
  if ((table[block.end] as number) > 1) throw new Error("unknown type of block");
  const content = contentOf(table, block);
  const starts = new Set<number>();
  let last = range.before;
  for (const { at, key, isWhole } of entriesOf(content)) {
    if (key.length < TAG_BYTES) throw new Error("no key");
    if (last !== undefined && compareKeys(last, key) >= 0) throw new Error("keys out of order");
    if (isWhole) starts.add(at);
    last = key;
  }
  for (const restart of restartsOf(content)) if (!starts.has(restart)) throw new Error("no entry begins here");
  if (last !== undefined && compareKeys(last, range.last) > 0) throw new Error("keys out of order");
}

/** Versions of one key are sorted from the newest to the oldest. */
function compareKeys(a: Buffer, b: Buffer): number {
  const [nameA, nameB] = [a, b].map((key) => key.subarray(0, key.length - TAG_BYTES)) as [Buffer, Buffer];
  const [tagA, tagB] = [a, b].map((key) => key.readBigUInt64LE(key.length - TAG_BYTES)) as [bigint, bigint];
  return Buffer.compare(nameA, nameB) || (tagA > tagB ? -1 : Number(tagA < tagB));
}

interface Entry {
  readonly at: number;
  readonly key: Buffer;
  readonly value: Uint8Array;
  /** Whether its key shares nothing with the previous one. */
  readonly isWhole: boolean;
}

function* entriesOf(content: Uint8Array): Generator<Entry> {
  const end = restartsAt(content);
  const reader = { bytes: content, at: 0 };
  let key: Buffer = Buffer.alloc(0);
  while (reader.at < end) {
    const { at } = reader;
    const [shared, rest, length] = [varint(reader), varint(reader), varint(reader)];
    const valueAt = reader.at + rest;
    if (shared > key.length || valueAt + length > end) throw new Error("no entry");
    key = Buffer.concat([key.subarray(0, shared), content.subarray(reader.at, valueAt)]);
    reader.at = valueAt + length;
    yield { at, key, value: content.subarray(valueAt, reader.at), isWhole: shared === 0 };
  }
}

function restartsAt(content: Uint8Array): number {
  const at = content.length - 4 - 4 * viewOf(content).getUint32(content.length - 4, true);
  if (at < 0) throw new Error("no block");
  return at;
}

function* restartsOf(content: Uint8Array): Generator<number> {
  for (let at = restartsAt(content); at < content.length - 4; at += 4) yield viewOf(content).getUint32(at, true);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
