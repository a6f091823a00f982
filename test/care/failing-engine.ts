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

/** What differs between the stores of engines. */
interface StoreKind<Store, Failure> {
  open(store: Store): Storage;
  failWrite(store: Store, count: number, failure: Failure): void;
  copy(store: Store): Promise<Store>;
}

function engineOver<Store extends { readonly failed: number; repair(): void }, Failure extends string>(
  store: Store,
  kind: StoreKind<Store, Failure>,
): FailingEngine {
  return {
    open: () => kind.open(store),
    failWrite: (count, failure) => kind.failWrite(store, count, failure as Failure),
    get hasFailed() {
      return store.failed > 0;
    },
    repair: () => store.repair(),
    copy: async () => engineOver(await kind.copy(store), kind),
  };
}

const LEVEL: StoreKind<FaultyDatabase, Parameters<FaultyDatabase["failWrite"]>[1]> = {
  open: (db) => leveldb({ db }),
  failWrite: (database, count, failure) => database.failWrite(count, failure),
  async copy(database) {
    const copy = new FaultyDatabase();
    await copy.load(await database.dump());
    return copy;
  },
};

const DRIVER: StoreKind<FaultyStorage, Parameters<FaultyStorage["failCall"]>[1]> = {
  open: (storage) => unstorage({ storage }),
  failWrite: (driver, count, failure) => driver.failCall(count, failure),
  copy: async ({ items }) => new FaultyStorage(items),
};

export const ENGINES: readonly EngineKind[] = [
  {
    name: "leveldb",
    passing: ["refused", "made"],
    ending: ["unknown"],
    make: () => engineOver(new FaultyDatabase(), LEVEL),
  },
  {
    name: "unstorage",
    passing: ["refused", "made", "torn"],
    ending: ["crash before", "crash behind", "crash within"],
    make: () => engineOver(new FaultyStorage(), DRIVER),
  },
];
