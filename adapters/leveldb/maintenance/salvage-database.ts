import { randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { ClassicLevel } from "classic-level";
import { removeSum, removeSumFromBytes } from "../../segments/checksum.js";
import { entryKey, segmentKey } from "../../segments/keys.js";
import { type BucketRecord, parseRoot, type Root } from "../../segments/root.js";
import type { SegmentName, StoredEntry } from "../../segments/store.js";
import type { ValueOpener } from "../../segments/vault.js";
import { Database, type LevelDatabase } from "../database.js";
import { isLevelFile } from "../level-files.js";
import { copyDatabase, copyTables } from "./salvage-copy.js";
import type { Fragments } from "./salvage-fragments.js";

const SCAN_CHUNK = 1000;

/** Everything except the log. */
export type DatabaseFragments = Omit<Fragments, "logs">;

/** Finds folders with LevelDB files, including the given one. The database in use comes before kept copies. */
export async function findDatabases(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => isLevelFile(path.basename(name)));
  // The database of the lock is empty.
  const folders = new Set(files.map((name) => path.dirname(name)).filter((each) => path.basename(each) !== "lock"));
  return [...folders].sort((a, b) => Number(a !== "db") - Number(b !== "db") || a.localeCompare(b));
}

/** Ways to read a damaged database: unchanged, repaired by LevelDB, and by the blocks of its tables. */
const READ_MODES = ["as-is", "repaired", "tables"] as const;
type ReadMode = (typeof READ_MODES)[number];

/**
 * Reads copies of damaged databases: unchanged and, if that is not enough, in the other ways. The originals stay
 * unchanged. If the latest copy is complete, only it is used, because others may contain data that were deleted later.
 * Otherwise each copy adds data that the earlier ones lack.
 */
export class DatabaseSalvage {
  readonly #folders: readonly string[];
  readonly #workFolder: string;
  readonly #committed: number;
  readonly #values: ValueOpener;
  readonly #copies: DatabaseCopy[] = [];
  readonly #modes: ReadMode[] = [...READ_MODES];

  /**
   * @param workFolder for the copies; must exist
   * @param options `committed` is the current commit according to the log
   */
  constructor(
    folders: readonly string[],
    workFolder: string,
    { committed, values }: { readonly committed: number; readonly values: ValueOpener },
  ) {
    this.#folders = folders;
    this.#workFolder = workFolder;
    this.#committed = committed;
    this.#values = values;
  }

  async read(): Promise<DatabaseFragments> {
    while (this.#modes.length > 0 && !this.#hasAll(this.#latestFirst()[0])) await this.#openNext();
    const copies = this.#latestFirst();
    const [latest] = copies;
    const used = latest !== undefined && isComplete(latest) ? [latest] : copies;
    const records = mergeSources(used.map((copy) => copy.records));
    const entries = mergeSources(used.map((copy) => copy.entries));
    const segments = new Map(used.flatMap((copy) => [...copy.segments]));
    return {
      root: used.find(({ root }) => root !== undefined)?.sealedRoot ?? used[0]?.sealedRoot,
      records: new Map(Array.from(records, ([key, { stored }]) => [key, stored])),
      entries: [...entries.values()].flatMap(({ name, stored }) =>
        name === undefined ? [] : [{ ...name, text: stored }],
      ),
      segments: [...segments.values()],
      readSegment: (name) => this.#readSegment(name),
    };
  }

  async close(): Promise<void> {
    for (const copy of this.#copies) await copy.close();
  }

  /** Copies by commit number, the latest first. Of equal ones, the least processed copy comes first. */
  #latestFirst(): DatabaseCopy[] {
    return this.#copies.toSorted((a, b) => commitNumberOf(b) - commitNumberOf(a));
  }

  #hasAll(copy: DatabaseCopy | undefined): boolean {
    return copy !== undefined && isComplete(copy) && commitNumberOf(copy) >= this.#committed;
  }

  async #readSegment(name: SegmentName): Promise<Uint8Array | undefined> {
    for (;;) {
      for (const copy of this.#copies) {
        const bytes = await copy.read(name);
        if (bytes !== undefined && isSegment(name, bytes)) return bytes;
      }
      if (this.#modes.length === 0) return undefined;
      await this.#openNext();
    }
  }

  async #openNext(): Promise<void> {
    const way = this.#modes.shift() ?? "as-is";
    for (const folder of this.#folders) {
      const copy = await DatabaseCopy.open(folder, path.join(this.#workFolder, randomUUID()), way, this.#values);
      if (copy !== undefined) this.#copies.push(copy);
    }
  }
}

/** A stored string, and whether its checksum is valid. */
interface FoundText {
  readonly stored: string;
  readonly isValid: boolean;
  readonly name?: SegmentName;
}

/** An opened copy of a database, completely in memory except for its segments. */
class DatabaseCopy {
  sealedRoot: string | undefined;
  root: Root | undefined;
  readonly records: Map<string, FoundText> = new Map();
  readonly entries: Map<string, FoundText> = new Map();
  readonly segments: Map<string, SegmentName> = new Map();
  readonly #level: ClassicLevel;
  readonly #database: Database;

  readonly #values: ValueOpener;

  private constructor(level: ClassicLevel, values: ValueOpener) {
    this.#values = values;
    this.#level = level;
    this.#database = new Database(level as unknown as LevelDatabase);
  }

  /** @returns `undefined` if LevelDB cannot read it */
  static async open(folder: string, to: string, way: ReadMode, values: ValueOpener): Promise<DatabaseCopy | undefined> {
    const { ClassicLevel } = await import("classic-level");
    const isNew = way === "tables";
    if (!isNew) await copyDatabase(folder, to);
    try {
      if (way === "repaired") await ClassicLevel.repair(to);
      const level = new ClassicLevel(to, { createIfMissing: isNew });
      await level.open();
      if (isNew) await copyTables(folder, level);
      const copy = new DatabaseCopy(level, values);
      await copy.#scan();
      return copy;
    } catch {
      return undefined;
    }
  }

  async read(name: SegmentName): Promise<Uint8Array | undefined> {
    try {
      const bytes = await this.#database.segment(name);
      return bytes && this.#values.openSegment(name, bytes);
    } catch {
      return undefined;
    }
  }

  async close(): Promise<void> {
    await this.#level.close();
  }

  async #scan(): Promise<void> {
    await readUntilFailure(async () => {
      const root = await this.#database.root();
      this.sealedRoot = root && readable(root, () => this.#values.openRoot(root));
      if (this.sealedRoot !== undefined) this.root = parseRoot(this.sealedRoot, "the folder");
    });
    await readUntilFailure(async () => {
      for await (const [key, sealed] of this.#database.entriesBelow("r!")) {
        const name = key.slice("r!".length);
        const [plain, text] = readable([name, sealed] as const, () => this.#values.openRecord(name, sealed));
        this.records.set(plain, { stored: text, isValid: hasValidSum(plain, text) });
      }
    });
    await readUntilFailure(async () => {
      for await (const [key, sealed] of this.#database.entriesBelow("g!")) {
        const name = nameIn(key);
        if (name === undefined) continue;
        const entry = { ...name, text: sealed };
        this.#addEntry(readable(entry, () => this.#values.openEntry(entry)));
      }
    });
    await readUntilFailure(async () => {
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
    this.entries.set(key, { stored: text, isValid: hasValidSum(key, text), name });
  }
}

/** Decrypts a value. If that fails, returns it unchanged: it then fails the checks of plain values. */
function readable<T>(sealed: T, open: () => T): T {
  try {
    return open();
  } catch {
    return sealed;
  }
}

/** Reads until the first failure, and keeps the result so far. */
async function readUntilFailure(read: () => Promise<void>): Promise<void> {
  await read().catch(() => undefined);
}

function nameIn(key: string): SegmentName | undefined {
  const [, bucket = "", segment = ""] = /^[dg]!([0-9a-z]+)!([0-9a-z]+)$/.exec(key) ?? [];
  if (bucket === "") return undefined;
  return { bucketNo: Number.parseInt(bucket, 36), segmentNo: Number.parseInt(segment, 36) };
}

function hasValidSum(key: string, stored: string): boolean {
  try {
    removeSum(key, stored);
    return true;
  } catch {
    return false;
  }
}

function isSegment(name: SegmentName, bytes: Uint8Array): boolean {
  try {
    removeSumFromBytes(segmentKey(name), bytes);
    return true;
  } catch {
    return false;
  }
}

/** Merges sources: for each key, the first valid string, or else the first one. */
function mergeSources(sources: readonly ReadonlyMap<string, FoundText>[]): Map<string, FoundText> {
  const found = new Map<string, FoundText>();
  for (const source of sources) {
    for (const [key, text] of source) {
      const known = found.get(key);
      if (known === undefined || (!known.isValid && text.isValid)) found.set(key, text);
    }
  }
  return found;
}

function commitNumberOf({ root }: DatabaseCopy): number {
  return root?.number ?? -1;
}

/** Whether all entries counted by the root and the records of buckets are present. */
function isComplete({ root, records, entries }: DatabaseCopy): boolean {
  if (root === undefined || ![...records.values(), ...entries.values()].every(({ isValid }) => isValid)) return false;
  if (!matchesDigest(records, root.records, root.digest)) return false;
  const byBucket = new Map<number, Map<string, FoundText>>();
  for (const [key, entry] of entries) {
    const bucketNo = entry.name?.bucketNo ?? -1;
    const list = byBucket.get(bucketNo) ?? new Map<string, FoundText>();
    byBucket.set(bucketNo, list.set(key, entry));
  }
  return Array.from(records).every(([key, { stored }]) => {
    if (!key.startsWith("b/")) return true;
    const record = JSON.parse(removeSum(key, stored).text) as BucketRecord;
    return matchesDigest(byBucket.get(Number(key.slice(2))) ?? new Map(), record.entries, record.digest);
  });
}

function matchesDigest(texts: ReadonlyMap<string, FoundText>, count: number, digest: number): boolean {
  let total = 0;
  for (const [key, { stored }] of texts) total = (total + removeSum(key, stored).sum) >>> 0;
  return texts.size === count && total === digest;
}
