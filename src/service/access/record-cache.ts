import type { JsonValue } from "../../domain/json.js";
import type { RecordStore } from "../../storage/records.js";
import type { Waiting } from "../../util/waiting.js";

/** How long records are used before they are read again, in milliseconds: another process may have changed them. */
const FRESH_MILLIS = 1000;
/** How old the records may be that decide about a request. */
const OLDEST_MILLIS = 3000;

const NEVER: number = Number.NEGATIVE_INFINITY;

/**
 * Kinds of records that are looked up together. `ready()` reads them if needed; lookups after it are synchronous. A
 * change made here applies at once, one of another process after three seconds at the latest.
 */
export class RecordMemory {
  /** The current time, in milliseconds; never goes back. */
  readonly now: () => number;
  readonly #caches: Pick<RecordCache<unknown>, "readAt" | "read">[] = [];
  /** When reading the oldest records began. */
  #readAt = NEVER;
  #reading: Promise<void> | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  add(cache: Pick<RecordCache<unknown>, "readAt" | "read">): void {
    this.#caches.push(cache);
    this.#readAt = NEVER;
  }

  /**
   * Call it before lookups, in the same turn. Records older than a second are read again in the background.
   *
   * @returns `undefined` if lookups can follow now. Rejects with the store's error if old records cannot be read again:
   *   they decide nothing
   */
  ready(): Waiting {
    const age = this.now() - this.#readAt;
    if (age <= FRESH_MILLIS) return undefined;
    const reading = this.#readOnce();
    if (age > OLDEST_MILLIS) return reading;
    // If this fails, it fails again for a request that waits for it.
    reading.catch(() => undefined);
    return undefined;
  }

  /** For records in memory that are no longer known to be right. */
  forget(): void {
    this.#readAt = NEVER;
  }

  #readOnce(): Promise<void> {
    if (this.#reading !== undefined) return this.#reading;
    const reading = this.#read();
    this.#reading = reading;
    // The first of its reactions, so no call finds fresh records before those that wait for them continue.
    reading.then(
      () => {
        this.#reading = undefined;
        this.#readAt = Math.min(...this.#caches.map(({ readAt }) => readAt));
      },
      () => {
        this.#reading = undefined;
      },
    );
    return reading;
  }

  async #read(): Promise<void> {
    const begin = this.now();
    let old = this.#caches.filter(({ readAt }) => begin - readAt > FRESH_MILLIS);
    while (old.length > 0) {
      await Promise.all(old.map((cache) => cache.read()));
      const now = this.now();
      old = this.#caches.filter(({ readAt }) => readAt < begin && now - readAt > OLDEST_MILLIS);
    }
  }
}

/** Changes of one record that are under way at the same time. */
interface Pending {
  count: number;
  /** Whether the order in which they are told may not be that in which they were stored. */
  isOvertaken: boolean;
}

/** Records of one kind, in memory. */
export class RecordCache<Value> {
  readonly #store: () => RecordStore;
  readonly #parse: (value: JsonValue) => Value | undefined;
  readonly #memory: RecordMemory;
  #held: ReadonlyMap<string, Value> | undefined;
  /** When reading them began. */
  readAt: number = NEVER;
  /** Counts the changes that were made here. */
  #changes = 0;
  /** Changes that are under way, by their record. */
  readonly #pending: Map<string, Pending> = new Map();

  /**
   * @param parse returns `undefined` for a record of another version; it is left out
   * @param memory kinds that are looked up together with this one
   */
  constructor(store: () => RecordStore, parse: (value: JsonValue) => Value | undefined, memory: RecordMemory) {
    this.#store = store;
    this.#parse = parse;
    this.#memory = memory;
    memory.add(this);
  }

  get isRead(): boolean {
    return this.#held !== undefined;
  }

  /** All records, for a caller that has waited for `ready()` of the memory. Another object after each change. */
  get all(): ReadonlyMap<string, Value> {
    if (this.#held === undefined) throw new Error("records are looked up before they are read");
    return this.#held;
  }

  /**
   * Changes a record, whatever others do at the same time.
   *
   * @param make what is to be kept in the place of a value; `undefined` for none
   */
  async change(key: string, make: (before: JsonValue | undefined) => JsonValue | undefined): Promise<void> {
    const pending = this.#pending.get(key) ?? { count: 0, isOvertaken: false };
    this.#pending.set(key, pending);
    if (++pending.count > 1) pending.isOvertaken = true;
    try {
      const store = this.#store();
      for (;;) {
        const before = await store.get(key);
        const after = make(before);
        if (before === undefined && after === undefined) return;
        if (!(await store.compareAndSet(key, before, after))) continue;
        this.#changes++;
        // Which of several was stored last is not known here.
        if (pending.isOvertaken) this.#outdate();
        else this.#hold(key, after);
        return;
      }
    } finally {
      if (--pending.count === 0) this.#pending.delete(key);
    }
  }

  /** For a record that was deleted past this cache. */
  deleted(key: string): void {
    this.#changes++;
    const pending = this.#pending.get(key);
    if (pending === undefined) {
      this.#hold(key, undefined);
      return;
    }
    pending.isOvertaken = true;
    this.#outdate();
  }

  /** For records that were changed without this cache: the next request waits until they are read again. */
  forget(): void {
    this.#outdate();
    this.#changes++;
  }

  #outdate(): void {
    this.readAt = NEVER;
    this.#memory.forget();
  }

  #hold(key: string, value: JsonValue | undefined): void {
    if (this.#held === undefined) return;
    const held = new Map(this.#held);
    const parsed = value === undefined ? undefined : this.#parse(value);
    if (parsed === undefined) held.delete(key);
    else held.set(key, parsed);
    this.#held = held;
  }

  /** For the memory: reads all of them again. */
  async read(): Promise<void> {
    for (;;) {
      const changes = this.#changes;
      const begin = this.#memory.now();
      const records = await this.#store().list();
      // What was read may be older than what was changed meanwhile: a key that is revoked must not come back.
      if (changes !== this.#changes) continue;
      const held = new Map<string, Value>();
      for (const [key, value] of records) {
        const parsed = this.#parse(value);
        if (parsed !== undefined) held.set(key, parsed);
      }
      this.#held = held;
      this.readAt = begin;
      return;
    }
  }
}
