import { MemoryLevel } from "memory-level";
import type { ChainedBatch } from "../../adapters/leveldb/database.js";
import type { LevelDatabase } from "../../adapters/leveldb/index.js";

/**
 * How the database fails at its n-th write.
 *
 * - `refused`: this write is not made; the next one is.
 * - `made`: this write is made, but reported as failed.
 * - `full`: this one and all behind it are not made, for want of space, until `repair()`.
 * - `unknown`: this one is made, but reported as failed, and no other is made until the database is opened again. So
 *   LevelDB does when it cannot tell whether a record has reached its log.
 */
export type Failure = "refused" | "made" | "full" | "unknown";

type Entry = [key: string, value: Uint8Array];

/** A database in memory whose n-th write, or n-th read, fails. Everything takes turns of the event loop. */
export class FaultyDatabase implements LevelDatabase {
  /** What reads of values and writes wait for, while it is set. */
  readonly gates: { read?: () => Promise<unknown>; write?: () => Promise<unknown> } = {};
  readonly #level: MemoryLevel<string, Uint8Array> = new MemoryLevel({ valueEncoding: "view" });
  #writes = 0;
  #reads = 0;
  #failsAt = Number.POSITIVE_INFINITY;
  #readFailsAt = Number.POSITIVE_INFINITY;
  #failure: Failure = "refused";
  #failingKey: string | undefined;
  #broken = false;
  #failed = 0;

  get status(): string {
    return this.#level.status;
  }

  /** Batches so far. */
  get writes(): number {
    return this.#writes;
  }

  /** Reads by key and scans so far. */
  get reads(): number {
    return this.#reads;
  }

  /** Calls that were made to fail. */
  get failed(): number {
    return this.#failed;
  }

  /** Lets a write that is to come fail; 1 is the next one. */
  failWrite(count: number, failure: Failure): void {
    this.#failsAt = this.#writes + count;
    this.#failure = failure;
  }

  /** Lets the next write that puts a key fail. */
  failKey(key: string): void {
    this.#failingKey = key;
    this.#failure = "refused";
  }

  /** Lets a read that is to come fail; 1 is the next one. */
  failRead(count: number): void {
    this.#readFailsAt = this.#reads + count;
  }

  /** From here on nothing fails. */
  repair(): void {
    this.#broken = false;
    this.#failsAt = Number.POSITIVE_INFINITY;
    this.#readFailsAt = Number.POSITIVE_INFINITY;
    this.#failingKey = undefined;
  }

  async dump(): Promise<Entry[]> {
    return this.#level.iterator().all();
  }

  async load(entries: readonly Entry[]): Promise<void> {
    await this.#level.batch(entries.map(([key, value]) => ({ type: "put", key, value })));
  }

  async open(): Promise<void> {
    await this.#level.open();
  }

  async close(): Promise<void> {
    await this.#level.close();
  }

  async get(key: never, options: never): Promise<unknown> {
    // Longer than a write takes: so writes land and fail while calls wait for what they must read.
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
    await this.gates.read?.();
    this.#read();
    return this.#level.get(key, options);
  }

  batch(): ChainedBatch<never> {
    const batch = this.#level.batch() as ChainedBatch<never>;
    const keys = new Set<string>();
    return {
      put: (key, value, options) => {
        keys.add(key);
        return batch.put(key, value, options);
      },
      del: (key, options) => batch.del(key, options),
      write: (options) => this.#write(() => batch.write(options), keys),
      close: () => batch.close(),
    };
  }

  iterator(options: never): { nextv(size: number): Promise<unknown[]>; close(): Promise<void> } {
    const iterator = this.#level.iterator(options);
    return {
      nextv: async (size) => {
        await new Promise(setImmediate);
        this.#read();
        return iterator.nextv(size);
      },
      close: () => iterator.close(),
    };
  }

  keys(options: never): { nextv(size: number): Promise<unknown[]>; close(): Promise<void> } {
    return this.#level.keys(options);
  }

  #read(): void {
    if (++this.#reads !== this.#readFailsAt) return;
    this.#failed++;
    throw new Error("injected: the read fails");
  }

  async #write(make: () => Promise<void>, keys: ReadonlySet<string>): Promise<void> {
    const hasKey = this.#failingKey !== undefined && keys.has(this.#failingKey);
    if (hasKey) this.#failingKey = undefined;
    const isPoint = ++this.#writes === this.#failsAt || hasKey;
    await new Promise(setImmediate);
    await this.gates.write?.();
    if (!isPoint && !this.#broken) return make();
    this.#failed++;
    if (isPoint && /full|unknown/.test(this.#failure)) this.#broken = true;
    if (isPoint && /made|unknown/.test(this.#failure)) await make();
    const error = new Error(`injected: the write fails (${this.#failure})`);
    throw this.#failure === "full" ? Object.assign(error, { code: "ENOSPC" }) : error;
  }
}
