import type { DomainOf } from "../../api/codec.js";
import { isJsonObject, type JsonValue } from "../../domain/json.js";
import type { RecordStore } from "../../storage/records.js";

/** A run that changed data. */
export type RetentionRun = DomainOf<"RetentionRun">;

/** Maximum number of stored runs. */
const MAX_RUNS = 100;

/** The log of retention runs, in private records. */
export class RetentionLog {
  readonly #store: () => RecordStore;

  constructor(store: () => RecordStore) {
    this.#store = store;
  }

  /** The latest first. */
  async list(): Promise<RetentionRun[]> {
    const runs = Array.from(await this.#store().list(), ([, value]) => parsed(value));
    return runs.filter((run) => run !== undefined).sort((a, b) => b.time - a.time);
  }

  async add({ time, buckets }: RetentionRun): Promise<void> {
    const store = this.#store();
    const value: JsonValue = { time, buckets: buckets.map((bucket) => ({ ...bucket })) };
    // Two nodes may run in the same microsecond; neither record replaces the other.
    for (let key = time; !(await store.compareAndSet(String(key), undefined, value)); key++);
    const runs = Array.from(await store.list()).sort(([a], [b]) => Number(b) - Number(a));
    for (const [key, old] of runs.slice(MAX_RUNS)) await store.compareAndSet(key, old, undefined);
  }
}

function parsed(value: JsonValue): RetentionRun | undefined {
  if (!isJsonObject(value) || typeof value.time !== "number" || !Array.isArray(value.buckets)) return undefined;
  return value as unknown as RetentionRun;
}
