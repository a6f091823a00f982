import { MemoryLevel } from "memory-level";
import type { ChainedBatch } from "../../adapters/leveldb/database.js";
import type { LevelDatabase } from "../../adapters/leveldb/index.js";

/**
 * How the engine fails at its n-th write.
 *
 * - `refused`: this write is not made; the next one is.
 * - `full`: this one and all behind it are not made, until `repair()`.
 * - `unknown`: this one is made, but reported as failed, and no other is made until the database is opened again. So
 *   LevelDB does when it cannot tell whether a record has reached its log.
 */
export type Failure = "refused" | "full" | "unknown";

type Entry = [key: string, value: Uint8Array];

/** A database in memory whose n-th write, or n-th read, fails. Everything takes turns of the event loop. */
export class FaultyDatabase implements LevelDatabase {
  readonly supports: { readonly explicitSnapshots: boolean } = { explicitSnapshots: true };
  readonly #level: MemoryLevel<string, Uint8Array> = new MemoryLevel({ valueEncoding: "view" });
  #writes = 0;
  #reads = 0;
  #failsAt = Number.POSITIVE_INFINITY;
  #readFailsAt = Number.POSITIVE_INFINITY;
  #failure: Failure = "refused";
  #broken = false;
  #failed = 0;

  get status(): string {
    return this.#level.status;
  }

  /** Batches and clearings so far. */
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

  /** Lets a read that is to come fail; 1 is the next one. */
  failRead(count: number): void {
    this.#readFailsAt = this.#reads + count;
  }

  /** From here on nothing fails. */
  repair(): void {
    this.#broken = false;
    this.#failsAt = Number.POSITIVE_INFINITY;
    this.#readFailsAt = Number.POSITIVE_INFINITY;
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
    this.#read();
    return this.#level.get(key, options);
  }

  batch(): ChainedBatch<never> {
    const batch = this.#level.batch() as ChainedBatch<never>;
    return {
      put: (key, value, options) => batch.put(key, value, options),
      del: (key, options) => batch.del(key, options),
      write: (options) => this.#write(() => batch.write(options)),
      close: () => batch.close(),
    };
  }

  async clear(options: never): Promise<void> {
    await this.#write(() => this.#level.clear(options));
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

  snapshot(): { close(): Promise<void> } {
    return this.#level.snapshot();
  }

  #read(): void {
    if (++this.#reads !== this.#readFailsAt) return;
    this.#failed++;
    throw new Error("injected: the read fails");
  }

  async #write(make: () => Promise<void>): Promise<void> {
    const isPoint = ++this.#writes === this.#failsAt;
    await new Promise(setImmediate);
    if (!isPoint && !this.#broken) return make();
    this.#failed++;
    if (isPoint && this.#failure !== "refused") this.#broken = true;
    if (isPoint && this.#failure === "unknown") await make();
    throw new Error(`injected: the write fails (${this.#failure})`);
  }
}
