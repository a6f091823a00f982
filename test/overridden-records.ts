import type { RecordStore } from "../src/storage/records.js";
import type { Storage } from "../src/storage/storage.js";

/** A storage that keeps some kinds of records in another way. @param change methods in place of those of a store */
export function withRecords(
  storage: Storage,
  kinds: readonly string[],
  change: (store: RecordStore) => Partial<RecordStore>,
): Storage {
  const records = (kind: string): RecordStore => {
    const store = storage.records(kind);
    return kinds.includes(kind) ? { ...store, ...change(store) } : store;
  };
  return { ...storage, settings: storage.settings, records };
}
