import type { Durability } from "../../src/storage.js";

/** One change of a batch. Keys are text, and so are values but those of segments. */
export type Operation =
  | { readonly type: "put"; readonly key: string; readonly value: string; readonly valueEncoding: "utf8" }
  | { readonly type: "put"; readonly key: string; readonly value: Uint8Array; readonly valueEncoding: "view" }
  | { readonly type: "del"; readonly key: string };

/** A consistent state of the database. */
export interface Snapshot {
  close(): Promise<void>;
}

/** Bounds of a scan over keys, `gte` included, `lt` not. */
export interface KeyRange {
  readonly gte: string;
  readonly lt: string;
}

/** Operations that are handed over one by one and written together. */
export interface ChainedBatch<Argument> {
  put(key: Argument, value: Argument, options: Argument): unknown;
  del(key: Argument, options: Argument): unknown;
  write(options: Argument): Promise<void>;
  close(): Promise<void>;
}

/**
 * What is used of an abstract-level database. Described by its few methods, so that nothing needs importing: any
 * instance fits (`level`, `classic-level`, `memory-level`, a sublevel).
 */
export interface LevelDatabase {
  readonly status: string;
  readonly supports: { readonly explicitSnapshots?: boolean };
  open(): Promise<void>;
  close(): Promise<void>;
  get(key: never, options: never): Promise<unknown>;
  batch(): ChainedBatch<never>;
  iterator(options: never): { nextv(size: number): Promise<unknown[]>; close(): Promise<void> };
  clear(options: never): Promise<void>;
  snapshot(): Snapshot;
}

/** The same database with exact types for text keys. */
export interface TextDatabase {
  /** Bytes of a segment; `undefined` when there is no such key. */
  getBytes(key: string, snapshot: Snapshot): Promise<Uint8Array | undefined>;
  /** Wholly or not at all; resolved when the batch has reached the durability. */
  batch(operations: readonly Operation[]): Promise<void>;
  /** Entries in the order of their keys, in chunks. */
  entries(range: KeyRange): AsyncIterable<readonly (readonly [key: string, value: string])[]>;
  /** Whether there is no key at all, ours or somebody else's. */
  isEmpty(): Promise<boolean>;
  clear(range: KeyRange): Promise<void>;
  snapshot(): Snapshot;
  /** Where batches are written at once: resolves when all that arrives together is there, to be one of them. */
  gathered?(): Promise<void>;
}

const ALL_BYTES = { gte: new Uint8Array(0), lt: new Uint8Array(64).fill(0xff) };
const TEXT_KEY = { keyEncoding: "utf8" };
const TEXT = { keyEncoding: "utf8", valueEncoding: "utf8" };
const BYTES = { keyEncoding: "utf8", valueEncoding: "view" };
const SCAN_CHUNK = 1000;
const SCAN_BYTES = 1024 * 1024;

/** Binds a database to our encodings and to a durability. */
export function textDatabase(database: LevelDatabase, durability: Durability): TextDatabase {
  // The only place where the generic types of the engine are narrowed to ours.
  const level = database as unknown as {
    get(key: string, options: object): Promise<Uint8Array | undefined>;
    batch(): ChainedBatch<unknown>;
    iterator(options: object): { nextv(size: number): Promise<[string, string][]>; close(): Promise<void> };
    clear(options: object): Promise<void>;
    snapshot(): Snapshot;
  };
  const writeOptions = { sync: durability === "power-loss" };
  return {
    getBytes: (key, snapshot) => level.get(key, { keyEncoding: "utf8", valueEncoding: "view", snapshot }),
    async batch(operations) {
      // A list of operations takes the engine three times as long to go through.
      const batch = level.batch();
      try {
        for (const operation of operations) {
          if (operation.type === "del") batch.del(operation.key, TEXT_KEY);
          else batch.put(operation.key, operation.value, operation.valueEncoding === "view" ? BYTES : TEXT);
        }
        await batch.write(writeOptions);
      } catch (cause) {
        await batch.close();
        throw cause;
      }
    },
    clear: (range) => level.clear({ ...range, keyEncoding: "utf8" }),
    snapshot: () => level.snapshot(),
    async isEmpty() {
      // Somebody else's keys may be any bytes. An open end would, in a sublevel, take in a key of its neighbour.
      const iterator = level.iterator({ keyEncoding: "view", valueEncoding: "view", ...ALL_BYTES });
      try {
        return (await iterator.nextv(1)).length === 0;
      } finally {
        await iterator.close();
      }
    },
    async *entries(range) {
      const iterator = level.iterator({
        ...range,
        keyEncoding: "utf8",
        valueEncoding: "utf8",
        highWaterMarkBytes: SCAN_BYTES,
      });
      try {
        // Only an empty answer is the end: a short one may have been cut by its size in bytes.
        for (let entries = await iterator.nextv(SCAN_CHUNK); entries.length > 0; ) {
          yield entries;
          entries = await iterator.nextv(SCAN_CHUNK);
        }
      } finally {
        await iterator.close();
      }
    },
  };
}
