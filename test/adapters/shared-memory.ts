import { memory } from "../../adapters/memory.js";
import { storageClosed } from "../../src/errors.js";
import type { Storage } from "../../src/storage/storage.js";
import type { ContractOptions } from "../contract/index.js";

/**
 * Storages that share their data, as several processes do, for tests of the contract suite.
 *
 * @param caches whether each of them makes a mistake: it keeps counts until a put of its own
 */
export function sharedMemory(caches: boolean): ContractOptions {
  const dataOf = new WeakMap<Storage, Storage>();
  function over(data: Storage): Storage {
    const storage = closable(caches ? counting(data) : data);
    dataOf.set(storage, data);
    return storage;
  }
  return { create: () => over(memory()), second: (storage) => over(dataOf.get(storage) ?? storage) };
}

function counting(data: Storage): Storage {
  const counts = new Map<string, number>();
  return {
    ...data,
    async countEvents(bucketId, range) {
      const key = JSON.stringify([bucketId, range]);
      const count = counts.get(key) ?? (await data.countEvents(bucketId, range));
      counts.set(key, count);
      return count;
    },
    async putEvents(bucketId, drafts) {
      counts.clear();
      return data.putEvents(bucketId, drafts);
    },
  };
}

/** The same storage, which can be closed without the data. */
function closable(data: Storage): Storage {
  let isClosed = false;
  function view<T extends object>(target: T): T {
    return new Proxy(target, {
      get(_, key) {
        const value: unknown = Reflect.get(target, key);
        if (key === "traits") return { ...data.traits, multiProcess: true };
        if (key === "settings") return view(data.settings);
        if (key === "records") return (kind: string) => view(data.records(kind));
        if (key === "close") return close;
        // A feed of the data would go on when this storage is closed.
        if (key === "changes") return undefined;
        if (typeof value !== "function" || !isClosed) return value;
        return key === "backup" ? closedItems : () => Promise.reject(storageClosed());
      },
    });
  }
  async function close(): Promise<void> {
    isClosed = true;
    // Calls that were made before end first.
    await new Promise(setImmediate);
  }
  return view(data);
}

function closedItems(): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(storageClosed()) }) };
}
