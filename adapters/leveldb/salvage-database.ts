import { randomUUID } from "node:crypto";
import { copyFile, link, mkdir, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { ClassicLevel } from "classic-level";
import { openBytes, openText } from "../segments/checksum.js";
import { entryKey, segmentKey } from "../segments/keys.js";
import { type BucketRecord, parseRoot, type Root } from "../segments/root.js";
import type { SegmentName, StoredEntry } from "../segments/store.js";
import { Database, type LevelDatabase } from "./database.js";
import { isLevelFile, tableNumber } from "./level-files.js";
import type { Fragments } from "./salvage-fragments.js";
import { readTable } from "./salvage-table.js";
import { stateOfTable } from "./table-check.js";

/** Keys of root, records, entries and segments. */
const OUR_KEY = /^[mrgd]!/;
const SCAN_CHUNK = 1000;

/** Everything but the log. */
export type DatabaseFragments = Omit<Fragments, "logs">;

/** Folders with files of LevelDB, the given one included, those in use before copies that were set aside. */
export async function findDatabases(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const folders = new Set(names.filter((name) => isLevelFile(path.basename(name))).map((name) => path.dirname(name)));
  return [...folders].sort((a, b) => Number(a !== "db") - Number(b !== "db") || a.localeCompare(b));
}

/** Ways to read a damaged database: as it is, as LevelDB repairs it, and by the blocks of its tables. */
const WAYS = ["as-is", "repaired", "tables"] as const;
type Way = (typeof WAYS)[number];

/**
 * Reads what can be read of databases, by copies: as they are, and, where that is not enough, in the further ways.
 * The originals stay as they are. The latest copy counts alone when it is whole, since others may hold what was deleted
 * later; otherwise each copy adds what those before it lack.
 */
export class DatabaseSalvage {
  readonly #folders: readonly string[];
  readonly #workFolder: string;
  readonly #committed: number;
  readonly #copies: DatabaseCopy[] = [];
  readonly #ways: Way[] = [...WAYS];

  /**
   * @param workFolder for the copies; must exist
   * @param committed the latest commit that counted according to the log
   */
  constructor(folders: readonly string[], workFolder: string, committed: number) {
    this.#folders = folders;
    this.#workFolder = workFolder;
    this.#committed = committed;
  }

  async read(): Promise<DatabaseFragments> {
    while (this.#ways.length > 0 && !this.#hasAll(this.#latestFirst()[0])) await this.#openNext();
    const copies = this.#latestFirst();
    const [latest] = copies;
    const used = latest !== undefined && isWhole(latest) ? [latest] : copies;
    const records = merged(used.map((copy) => copy.records));
    const entries = merged(used.map((copy) => copy.entries));
    const segments = new Map(used.flatMap((copy) => [...copy.segments]));
    return {
      root: used.find(({ root }) => root !== undefined)?.sealedRoot ?? used[0]?.sealedRoot,
      records: new Map(Array.from(records, ([key, { sealed }]) => [key, sealed])),
      entries: [...entries.values()].flatMap(({ name, sealed }) =>
        name === undefined ? [] : [{ ...name, text: sealed }],
      ),
      segments: [...segments.values()],
      readSegment: (name) => this.#readSegment(name),
    };
  }

  async close(): Promise<void> {
    for (const copy of this.#copies) await copy.close();
  }

  /** Of equal ones the copy that was changed least comes first. */
  #latestFirst(): DatabaseCopy[] {
    return this.#copies.toSorted((a, b) => numberOf(b) - numberOf(a));
  }

  #hasAll(copy: DatabaseCopy | undefined): boolean {
    return copy !== undefined && isWhole(copy) && numberOf(copy) >= this.#committed;
  }

  async #readSegment(name: SegmentName): Promise<Uint8Array | undefined> {
    for (;;) {
      for (const copy of this.#copies) {
        const bytes = await copy.read(name);
        if (bytes !== undefined && isSegment(name, bytes)) return bytes;
      }
      if (this.#ways.length === 0) return undefined;
      await this.#openNext();
    }
  }

  async #openNext(): Promise<void> {
    const way = this.#ways.shift() ?? "as-is";
    for (const folder of this.#folders) {
      const copy = await DatabaseCopy.open(folder, path.join(this.#workFolder, randomUUID()), way);
      if (copy !== undefined) this.#copies.push(copy);
    }
  }
}

/** A text of a database under the key by which its checksum is made. */
interface FoundText {
  readonly sealed: string;
  readonly isValid: boolean;
  readonly name?: SegmentName;
}

/** An opened copy of a database, all but its segments in memory. */
class DatabaseCopy {
  sealedRoot: string | undefined;
  root: Root | undefined;
  readonly records: Map<string, FoundText> = new Map();
  readonly entries: Map<string, FoundText> = new Map();
  readonly segments: Map<string, SegmentName> = new Map();
  readonly #level: ClassicLevel;
  readonly #database: Database;

  private constructor(level: ClassicLevel) {
    this.#level = level;
    this.#database = new Database(level as unknown as LevelDatabase);
  }

  /** @returns `undefined` when LevelDB can make nothing of it */
  static async open(folder: string, to: string, way: Way): Promise<DatabaseCopy | undefined> {
    const { ClassicLevel } = await import("classic-level");
    const isNew = way === "tables";
    if (!isNew) await copyDatabase(folder, to);
    try {
      if (way === "repaired") await ClassicLevel.repair(to);
      const level = new ClassicLevel(to, { createIfMissing: isNew });
      await level.open();
      if (isNew) await copyTables(folder, level);
      const copy = new DatabaseCopy(level);
      await copy.#scan();
      return copy;
    } catch {
      return undefined;
    }
  }

  async read(name: SegmentName): Promise<Uint8Array | undefined> {
    try {
      return await this.#database.segment(name);
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    await this.#level.close();
  }

  async #scan(): Promise<void> {
    await asFarAsItGoes(async () => {
      this.sealedRoot = await this.#database.root();
      if (this.sealedRoot !== undefined) this.root = parseRoot(this.sealedRoot, "the folder");
    });
    await asFarAsItGoes(async () => {
      for await (const [key, sealed] of this.#database.entriesBelow("r!")) {
        const plain = key.slice("r!".length);
        this.records.set(plain, { sealed, isValid: isText(plain, sealed) });
      }
    });
    await asFarAsItGoes(async () => {
      for await (const [key, sealed] of this.#database.entriesBelow("g!")) {
        const name = nameIn(key);
        if (name !== undefined) this.#addEntry({ ...name, text: sealed });
      }
    });
    await asFarAsItGoes(async () => {
      const keys = this.#level.keys({ gte: "d!", lt: 'd"' });
      for (let found = await keys.nextv(SCAN_CHUNK); found.length > 0; found = await keys.nextv(SCAN_CHUNK)) {
        for (const key of found) {
          const name = nameIn(key);
          if (name !== undefined) this.segments.set(segmentKey(name), name);
        }
      }
    });
  }

  #addEntry({ text, ...name }: StoredEntry): void {
    const key = entryKey(name);
    this.entries.set(key, { sealed: text, isValid: isText(key, text), name });
  }
}

/** Another way to read would find no more behind the place at which this one fails. */
async function asFarAsItGoes(read: () => Promise<void>): Promise<void> {
  await read().catch(() => undefined);
}

/** Links what never changes, where the file system can, and copies the rest; tables only that LevelDB may read. */
async function copyDatabase(folder: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  for (const file of await readdir(folder)) {
    if (!isLevelFile(file)) continue;
    const [source, target] = [path.join(folder, file), path.join(to, file)];
    // What the disk cannot read is left out.
    const copy = (): Promise<void> => copyFile(source, target).catch(() => undefined);
    if (tableNumber(file) === undefined) await copy();
    else if (await isSafeTable(source)) await link(source, target).catch(copy);
  }
}

async function isSafeTable(file: string): Promise<boolean> {
  const table = await readFile(file).catch(() => undefined);
  return table !== undefined && stateOfTable(table) !== "unsafe";
}

/** Puts what the tables of a folder hold into a new database. */
async function copyTables(folder: string, level: ClassicLevel): Promise<void> {
  const sequences = new Map<string, bigint>();
  for (const file of await readdir(folder)) {
    if (tableNumber(file) === undefined) continue;
    const table = await readFile(path.join(folder, file)).catch(() => Buffer.alloc(0));
    const batch = level.batch();
    for (const { key, value, sequence } of readTable(table)) {
      // The index of a table repeats keys of its blocks, behind them.
      if (!OUR_KEY.test(key) || sequence <= (sequences.get(key) ?? -1n)) continue;
      sequences.set(key, sequence);
      if (value === undefined) batch.del(key);
      else batch.put(key, value, { valueEncoding: "view" });
    }
    await batch.write();
  }
}

function nameIn(key: string): SegmentName | undefined {
  const [, bucket = "", segment = ""] = /^[dg]!([0-9a-z]+)!([0-9a-z]+)$/.exec(key) ?? [];
  if (bucket === "") return undefined;
  return { bucketNo: Number.parseInt(bucket, 36), segmentNo: Number.parseInt(segment, 36) };
}

function isText(key: string, sealed: string): boolean {
  try {
    openText(key, sealed);
    return true;
  } catch {
    return false;
  }
}

function isSegment(name: SegmentName, bytes: Uint8Array): boolean {
  try {
    openBytes(segmentKey(name), bytes);
    return true;
  } catch {
    return false;
  }
}

/** Of texts under the same key the first one that is valid, else the first one. */
function merged(sources: readonly ReadonlyMap<string, FoundText>[]): Map<string, FoundText> {
  const found = new Map<string, FoundText>();
  for (const source of sources) {
    for (const [key, text] of source) {
      const known = found.get(key);
      if (known === undefined || (!known.isValid && text.isValid)) found.set(key, text);
    }
  }
  return found;
}

function numberOf({ root }: DatabaseCopy): number {
  return root?.number ?? -1;
}

/** Whether everything that the root and the records of buckets count is there. */
function isWhole({ root, records, entries }: DatabaseCopy): boolean {
  if (root === undefined || ![...records.values(), ...entries.values()].every(({ isValid }) => isValid)) return false;
  if (!adds(records, root.records, root.digest)) return false;
  const byBucket = new Map<number, Map<string, FoundText>>();
  for (const [key, entry] of entries) {
    const bucketNo = entry.name?.bucketNo ?? -1;
    const list = byBucket.get(bucketNo) ?? new Map<string, FoundText>();
    byBucket.set(bucketNo, list.set(key, entry));
  }
  return Array.from(records).every(([key, { sealed }]) => {
    if (!key.startsWith("b/")) return true;
    const record = JSON.parse(openText(key, sealed).text) as BucketRecord;
    return adds(byBucket.get(Number(key.slice(2))) ?? new Map(), record.entries, record.digest);
  });
}

function adds(texts: ReadonlyMap<string, FoundText>, count: number, digest: number): boolean {
  let total = 0;
  for (const [key, { sealed }] of texts) total = (total + openText(key, sealed).sum) >>> 0;
  return texts.size === count && total === digest;
}
