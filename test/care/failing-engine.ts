import { leveldb } from "../../adapters/leveldb/index.js";
import { unstorage } from "../../adapters/unstorage/index.js";
import type { Storage } from "../../src/storage/storage.js";
import { FaultyDatabase } from "../adapters/faulty-database.js";
import { FaultyStorage } from "../adapters/faulty-storage.js";

/** Where a storage keeps its data, for a test whose n-th write there fails. */
export interface FailingEngine {
  open(): Storage;
  /** Lets a write that is to come fail; 1 is the next one. */
  failWrite(count: number, failure: string): void;
  /** Whether it has come so far. */
  readonly hasFailed: boolean;
  /** From here on nothing fails. */
  repair(): void;
  /** What the next process finds there now. */
  copy(): Promise<FailingEngine>;
}

/** A kind of engine, and what can befall its writes. */
export interface EngineKind {
  readonly name: string;
  /** A write fails, and the process goes on. */
  readonly passing: readonly string[];
  /** The process ends at a write, or nothing can be written before it is started again. */
  readonly ending: readonly string[];
  make(): FailingEngine;
}

class FailingDriver implements FailingEngine {
  readonly #driver: FaultyStorage;

  constructor(items: FaultyStorage["items"] = new Map()) {
    this.#driver = new FaultyStorage(items);
  }

  open(): Storage {
    return unstorage({ storage: this.#driver });
  }

  failWrite(count: number, failure: Parameters<FaultyStorage["failCall"]>[1]): void {
    this.#driver.failCall(count, failure);
  }

  get hasFailed(): boolean {
    return this.#driver.failed > 0;
  }

  repair(): void {
    this.#driver.repair();
  }

  async copy(): Promise<FailingEngine> {
    return new FailingDriver(this.#driver.items);
  }
}

class FailingLevel implements FailingEngine {
  readonly #database: FaultyDatabase = new FaultyDatabase();

  open(): Storage {
    return leveldb({ db: this.#database });
  }

  failWrite(count: number, failure: Parameters<FaultyDatabase["failWrite"]>[1]): void {
    this.#database.failWrite(count, failure);
  }

  get hasFailed(): boolean {
    return this.#database.failed > 0;
  }

  repair(): void {
    this.#database.repair();
  }

  async copy(): Promise<FailingEngine> {
    const copy = new FailingLevel();
    await copy.#database.load(await this.#database.dump());
    return copy;
  }
}

export const ENGINES: readonly EngineKind[] = [
  {
    name: "leveldb",
    passing: ["refused", "made"],
    ending: ["unknown"],
    make: () => new FailingLevel(),
  },
  {
    name: "unstorage",
    passing: ["refused", "made", "torn"],
    ending: ["crash before", "crash behind", "crash within"],
    make: () => new FailingDriver(),
  },
];
