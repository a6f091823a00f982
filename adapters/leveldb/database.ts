import { createTimeSlice } from "../../src/util/time-slice.js";
import type { Commit, SegmentName, StoredEntry } from "../segments/store.js";

/** A batch to which operations are added one by one. */
export interface ChainedBatch<Argument> {
  put(key: Argument, value: Argument, options: Argument): unknown;
  del(key: Argument, options: Argument): unknown;
  write(options: Argument): Promise<void>;
  close(): Promise<void>;
}

/**
 * The members of an abstract-level database that we use, without an import: any instance fits (`level`,
 * `classic-level`, `memory-level`, a sublevel).
 */
export interface LevelDatabase {
  readonly status: string;
  open(): Promise<void>;
  close(): Promise<void>;
  get(key: never, options: never): Promise<unknown>;
  batch(): ChainedBatch<never>;
  iterator(options: never): { nextv(size: number): Promise<unknown[]>; close(): Promise<void> };
  keys(options: never): { nextv(size: number): Promise<unknown[]>; close(): Promise<void> };
  /** classic-level has this method; others free space on their own. */
  compactRange?(start: never, end: never, options: never): Promise<void>;
  /** A sublevel has these two: its keys in the parent database. */
  prefixKey?(key: never, keyFormat: never, local: never): unknown;
  readonly db?: unknown;
}

/** Compacts a range of keys: the database, or the parent of a sublevel. */
interface Compacting {
  compactRange?(start: string, end: string, options: object): Promise<void>;
}

// The keys. docs/reference/format-leveldb.md has their grammar; change both together.

const ROOT_KEY = "m!root";
/** The commit number, separate from the root, so that it can be read even if the root cannot. */
const NUMBER_KEY = "m!number";
const RECORD_PREFIX = "r!";
/** Only version 0.1 wrote this key. */
const OLD_FORMAT_KEY = "m!format";
const DIGITS = 8;

/** Numbers in keys: base 36 with a fixed width, so that they sort as strings. */
function digits(value: number): string {
  return value.toString(36).padStart(DIGITS, "0");
}

function segmentKey({ bucketNo, segmentNo }: SegmentName): string {
  return `d!${digits(bucketNo)}!${digits(segmentNo)}`;
}

function entryKey({ bucketNo, segmentNo }: SegmentName): string {
  return `g!${digits(bucketNo)}!${digits(segmentNo)}`;
}

function nameIn(key: string): SegmentName {
  const [, bucket = "", segment = ""] = key.split("!");
  const name = { bucketNo: Number.parseInt(bucket, 36), segmentNo: Number.parseInt(segment, 36) };
  if (Number.isNaN(name.bucketNo) || Number.isNaN(name.segmentNo))
    throw new Error(`unknown key ${JSON.stringify(key)}`);
  return name;
}

const TEXT_KEY = { keyEncoding: "utf8" };
const TEXT = { keyEncoding: "utf8", valueEncoding: "utf8" };
const BYTES = { keyEncoding: "utf8", valueEncoding: "view" };
const SCAN_CHUNK = 1000;
const SCAN_BYTES = 1024 * 1024;

/** A key with its value; `undefined` deletes. */
export type Change = readonly [key: string, value: string | Uint8Array | undefined];

/** An abstract-level database with our keys, shared by both bindings. */
export class Database {
  readonly #level: {
    get(key: string, options: object): Promise<unknown>;
    batch(): ChainedBatch<unknown>;
    iterator(options: object): { nextv(size: number): Promise<unknown[]>; close(): Promise<void> };
    keys(options: object): { nextv(size: number): Promise<unknown[]>; close(): Promise<void> };
    prefixKey?(key: string, keyFormat: "utf8", local: false): string;
    readonly db?: Compacting;
  } & Compacting;

  constructor(level: LevelDatabase) {
    // The only place that narrows the engine's generic types to ours.
    this.#level = level as never;
  }

  /** Writes changes together, forced to the disk on request. */
  async write(changes: Iterable<Change>, sync: boolean): Promise<void> {
    // The engine takes three times as long for an array of operations.
    const batch = this.#level.batch();
    const timeSlice = createTimeSlice();
    try {
      for (const [key, value] of changes) {
        const pause = timeSlice.yield();
        // No pause for the few changes of a heartbeat.
        if (pause !== undefined) await pause;
        if (value === undefined) batch.del(key, TEXT_KEY);
        else batch.put(key, value, typeof value === "string" ? TEXT : BYTES);
      }
      await batch.write({ sync });
    } catch (cause) {
      await batch.close();
      throw cause;
    }
  }

  async text(key: string): Promise<string | undefined> {
    return (await this.#level.get(key, TEXT)) as string | undefined;
  }

  root(): Promise<string | undefined> {
    return this.text(ROOT_KEY);
  }

  /** The number of the current commit; 0 if there was none. */
  async commitNumber(): Promise<number> {
    return Number((await this.text(NUMBER_KEY)) ?? 0);
  }

  async segment(name: SegmentName): Promise<Uint8Array | undefined> {
    return (await this.#level.get(segmentKey(name), BYTES)) as Uint8Array | undefined;
  }

  async *records(): AsyncGenerator<readonly [key: string, value: string]> {
    for await (const [key, value] of this.entriesBelow(RECORD_PREFIX)) yield [key.slice(RECORD_PREFIX.length), value];
  }

  async *entries(): AsyncGenerator<StoredEntry> {
    for await (const [key, text] of this.entriesBelow("g!")) yield { ...nameIn(key), text };
  }

  async *segments(): AsyncGenerator<SegmentName> {
    const iterator = this.#level.keys({ gte: "d!", lt: 'd"', keyEncoding: "utf8" });
    try {
      for (let keys = await iterator.nextv(SCAN_CHUNK); keys.length > 0; keys = await iterator.nextv(SCAN_CHUNK)) {
        for (const key of keys) yield nameIn(key as string);
      }
    } finally {
      await iterator.close();
    }
  }

  /** Strings whose keys start with a prefix of two characters. */
  async *entriesBelow(prefix: string): AsyncGenerator<readonly [key: string, value: string]> {
    // In ASCII, the quotation mark follows "!".
    const range = { gte: prefix, lt: `${prefix.slice(0, -1)}"` };
    const iterator = this.#level.iterator({ ...range, ...TEXT, highWaterMarkBytes: SCAN_BYTES });
    try {
      // Only an empty result is the end: a short one may have been cut by its size in bytes.
      for (let found = await iterator.nextv(SCAN_CHUNK); found.length > 0; found = await iterator.nextv(SCAN_CHUNK)) {
        for (const entry of found) yield entry as [string, string];
      }
    } finally {
      await iterator.close();
    }
  }

  /** Detects whose keys the database contains. `old`: keys of version 0.1. */
  async content(): Promise<"empty" | "ours" | "old" | "foreign"> {
    if ((await this.root()) !== undefined) return "ours";
    if ((await this.text(OLD_FORMAT_KEY)) !== undefined) return "old";
    // Foreign keys may be any bytes. In a sublevel, an open end would include a key of its neighbor.
    const range = { gte: new Uint8Array(0), lt: new Uint8Array(64).fill(0xff) };
    const iterator = this.#level.iterator({ keyEncoding: "view", valueEncoding: "view", ...range });
    try {
      const [first] = (await iterator.nextv(1)) as [Uint8Array, Uint8Array][];
      if (first === undefined) return "empty";
      const key = new TextDecoder().decode(first[0]);
      return /^[lmqrgd]!/.test(key) ? "ours" : "foreign";
    } finally {
      await iterator.close();
    }
  }

  /** Makes LevelDB start a new log: a manual compaction, of any range, first writes the memtable to a table. */
  async renewLog(): Promise<void> {
    await this.#compact(ROOT_KEY, ROOT_KEY);
  }

  /**
   * Rewrites all tables without deleted and replaced values. A compaction skips tables of the lowest level. So it first
   * writes values before and after all others, which force LevelDB to merge every table. They also are the first and
   * last key of the tables that this writes: LevelDB keeps those keys in its manifest until it is opened again.
   */
  async eraseDeleted(): Promise<void> {
    const [first, last] = ["d", "z"];
    for (const value of ["", "", undefined]) {
      const changes = [first, last].map((key): Change => [key, value]);
      await this.write(changes, true);
      await this.#compact(first, last);
    }
    // A failed compaction does not throw, but makes the next write fail.
    await this.write([[first, undefined]], true);
  }

  /** Deletes all our keys. Those that identify our data come last, so that an interrupted deletion can continue. */
  async clear(): Promise<void> {
    for (const prefix of ["q!", "l!", "g!", "d!", "r!", "m!"]) {
      const iterator = this.#level.keys({ gte: prefix, lt: `${prefix.slice(0, -1)}"`, keyEncoding: "utf8" });
      try {
        for (let keys = await iterator.nextv(SCAN_CHUNK); keys.length > 0; keys = await iterator.nextv(SCAN_CHUNK)) {
          const changes = keys.map((key): Change => [key as string, undefined]);
          await this.write(changes, prefix === "m!");
        }
      } finally {
        await iterator.close();
      }
    }
  }

  /** Frees the space of a bucket's deleted values. */
  async reclaim(bucketNo: number): Promise<void> {
    for (const kind of ["d", "g"]) {
      await this.#compact(`${kind}!${digits(bucketNo)}!`, `${kind}!${digits(bucketNo)}"`);
    }
  }

  async #compact(start: string, end: string): Promise<void> {
    const level = this.#level;
    if (level.compactRange !== undefined) return level.compactRange(start, end, TEXT_KEY);
    if (level.prefixKey === undefined) return;
    const [from, to] = [level.prefixKey(start, "utf8", false), level.prefixKey(end, "utf8", false)];
    await level.db?.compactRange?.(from, to, TEXT_KEY);
  }
}

/** The database changes of a commit. */
export function* changesOf(commit: Commit): Generator<Change> {
  for (const segment of commit.putSegments) {
    yield [segmentKey(segment), segment.bytes];
    yield [entryKey(segment), segment.text];
  }
  for (const name of commit.deleteEntries) yield [entryKey(name), undefined];
  for (const name of commit.dropSegments) yield [segmentKey(name), undefined];
  for (const [key, value] of commit.records) yield [RECORD_PREFIX + key, value];
  yield [ROOT_KEY, commit.root];
  yield [NUMBER_KEY, String(commit.number)];
}
