import fs from "node:fs/promises";
import path from "node:path";
import { logNumber, manifestNumber, tableNumber } from "../level-files.js";
import { maskedCrc, type Reader, varint } from "./table-format.js";

// The manifest, LevelDB's list of its tables: github.com/google/leveldb, doc/log_format.md and doc/impl.md.
//
//     file   = block*                     blocks of 32 KiB; less than 7 bytes at the end of a block are unused
//     block  = piece*
//     piece  = checksum:u32 length:u16 type:u8 bytes    type 1: a complete record; 2, 3, 4: first, middle, last piece
//     record = (tag:varint field*)*

const BLOCK_BYTES = 32 * 1024;
const HEAD_BYTES = 7;

/** The state after a record. */
interface Version {
  /** Numbers of the current tables. */
  readonly tables: Set<number>;
  /** Number of the oldest log that is still needed. */
  log: number;
}

interface StoredRecord {
  /** Start of the record in the file. */
  readonly at: number;
  readonly bytes: Buffer;
}

/** Numbers of the current tables; `undefined` if the manifest is unreadable. Other tables are leftovers. */
export async function liveTables(folder: string): Promise<ReadonlySet<number> | undefined> {
  try {
    const { records } = await readManifest(folder);
    return replayRecords(records).tables;
  } catch {
    return undefined;
  }
}

/**
 * Removes the last record if its tables are missing. LevelDB writes a record before it forces the folder to the disk,
 * so a power cut may lose the tables; LevelDB then refuses to open. This loses no data, because replaced files are
 * deleted only after the record was forced. If one of those is missing, the record stays.
 *
 * @returns whether it removed the record
 */
export async function removeUnforcedRecord(folder: string): Promise<boolean> {
  const manifest = await readManifest(folder).catch(() => undefined);
  const last = manifest?.records.at(-1);
  if (manifest === undefined || last === undefined) return false;
  const names = await fs.readdir(folder);
  if (hasTables(replayRecords(manifest.records), names)) return false;
  const before = replayRecords(manifest.records.slice(0, -1));
  if (!hasTables(before, names) || !hasLog(before, names)) return false;
  await replace(manifest.file, manifest.content.subarray(0, last.at));
  return true;
}

/**
 * Names the newest manifest in CURRENT if the current one, or a file that it needs, is gone. LevelDB names a new
 * manifest, then removes the old one and its log, and forces none of this to the disk: a power cut may undo only some
 * of these steps. LevelDB would open a manifest without its log as an empty database.
 *
 * @returns whether it changed CURRENT
 */
export async function switchToNewest(folder: string): Promise<boolean> {
  const names = await fs.readdir(folder);
  const file = path.join(folder, "CURRENT");
  const named = (await fs.readFile(file, "utf8").catch(() => "")).trim();
  const [newest] = names.filter((name) => isNewer(name, named)).sort((a, b) => (isNewer(a, b) ? -1 : 1));
  if (newest === undefined) return false;
  if (names.includes(named)) {
    const [old, next] = await Promise.all([named, newest].map((name) => versionIn(path.join(folder, name))));
    const isLost = old !== undefined && old.log !== 0 && !(hasTables(old, names) && hasLog(old, names));
    // A manifest is complete once it has its second record, which names its log.
    if (!isLost || next === undefined || next.log === 0 || !hasTables(next, names)) return false;
  }
  await replace(file, `${newest}\n`);
  return true;
}

/** The version in a manifest; `undefined` if it is unreadable. */
async function versionIn(file: string): Promise<Version | undefined> {
  try {
    return replayRecords([...recordsOf(await fs.readFile(file))]);
  } catch {
    return undefined;
  }
}

function hasTables({ tables }: Version, names: readonly string[]): boolean {
  const found = new Set(names.map(tableNumber));
  return [...tables].every((table) => found.has(table));
}

function hasLog({ log }: Version, names: readonly string[]): boolean {
  return names.some((name) => logNumber(name) === log);
}

/** Whether both are manifests, and the first one is newer. */
function isNewer(name: string, than: string): boolean {
  return (manifestNumber(name) ?? Number.NaN) > (manifestNumber(than) ?? Number.NaN);
}

/** Replaces a file with a new one, because hard links must keep the old content. */
async function replace(file: string, content: string | Buffer): Promise<void> {
  const unfinished = `${file}.cut`;
  await fs.writeFile(unfinished, content, { mode: 0o600, flush: true });
  await fs.rename(unfinished, file);
}

async function readManifest(
  folder: string,
): Promise<{ readonly file: string; readonly content: Buffer; readonly records: readonly StoredRecord[] }> {
  const file = path.join(folder, (await fs.readFile(path.join(folder, "CURRENT"), "utf8")).trim());
  const content = await fs.readFile(file);
  return { file, content, records: [...recordsOf(content)] };
}

function replayRecords(records: readonly StoredRecord[]): Version {
  const version: Version = { tables: new Set(), log: 0 };
  for (const { bytes } of records) apply(bytes, version);
  return version;
}

function* recordsOf(file: Buffer): Generator<StoredRecord> {
  let pieces: Buffer[] = [];
  let first = 0;
  for (let at = 0; at + HEAD_BYTES <= file.length; ) {
    const room = BLOCK_BYTES - (at % BLOCK_BYTES);
    if (room < HEAD_BYTES) {
      at += room;
      continue;
    }
    const end = at + HEAD_BYTES + file.readUInt16LE(at + 4);
    // A crash cut off the end. LevelDB itself refuses other damage.
    if (end > file.length || maskedCrc(file, at + 6, end) !== file.readUInt32LE(at)) return;
    const type = file[at + 6] as number;
    if (type <= 2) {
      pieces = [];
      first = at;
    }
    pieces.push(file.subarray(at + HEAD_BYTES, end));
    if (type === 1 || type === 4) yield { at: first, bytes: Buffer.concat(pieces) };
    at = end;
  }
}

/** Applies a record. */
function apply(record: Buffer, version: Version): void {
  const reader: Reader = { bytes: record, at: 0 };
  const skipText = (): void => {
    const length = varint(reader);
    reader.at += length;
  };
  while (reader.at < record.length) {
    const tag = varint(reader);
    if (tag === 1) skipText();
    else if (tag === 2) version.log = varint(reader);
    else if (tag === 3 || tag === 4 || tag === 9) varint(reader);
    else if (tag === 5) {
      varint(reader);
      skipText();
    } else if (tag === 6) {
      varint(reader);
      version.tables.delete(varint(reader));
    } else if (tag === 7) {
      varint(reader);
      version.tables.add(varint(reader));
      varint(reader);
      skipText();
      skipText();
    } else throw new Error(`unknown tag ${tag}`);
  }
}
