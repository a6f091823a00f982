import type { JsonValue } from "../../domain/json.js";
import type { RecordStore } from "../../storage/records.js";
import type { Waiting } from "../../util/waiting.js";

/** Age in milliseconds after which records are read again: another process may have changed them. */
const FRESH_MILLIS = 1000;
/** Maximum age of records that decide about a request. */
const OLDEST_MILLIS = 3000;

const NEVER: number = Number.NEGATIVE_INFINITY;
/** The values of caches without records: an empty map takes 300 bytes, and a process may have a thousand servers. */
const NO_VALUES: ReadonlyMap<string, never> = new Map<string, never>();

/**
 * Kinds of records that are looked up together. `ready()` reads them if needed; lookups after it are synchronous. A
 * change by this process applies at once, one by another process within three seconds.
 */
export class RecordCaches {
  /** The current time, in milliseconds; never goes back. */
  readonly now: () => number;
  #caches: readonly Pick<RecordCache<unknown>, "readAt" | "read">[] = [];
  /** When the oldest read started. */
  #readAt = NEVER;
  #reading: Promise<void> | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  add(cache: Pick<RecordCache<unknown>, "readAt" | "read">): void {
    // An array that grows by `push` reserves space for 17 entries.
    this.#caches = [...this.#caches, cache];
    this.#readAt = NEVER;
  }

  /**
   * Call it before lookups, in the same turn. Records older than a second are read again in the background.
   *
   * @returns `undefined` if lookups can follow now. Rejects with the store's error if expired records cannot be read
   *   again
   */
  ready(): Waiting {
    const age = this.now() - this.#readAt;
    if (age <= FRESH_MILLIS) return undefined;
    const reading = this.#readOnce();
    if (age > OLDEST_MILLIS) return reading;
    // Ignore background errors; the next foreground read reports them.
    reading.catch(() => undefined);
    return undefined;
  }

  /** Invalidates the records in memory. */
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

/** Concurrent changes of one record. */
interface Pending {
  count: number;
  /** Whether they may have been reported in another order than they were stored. */
  isConcurrent: boolean;
}

/** Records of one kind, in memory. */
export class RecordCache<Value> {
  readonly #store: () => RecordStore;
  readonly #parse: (value: JsonValue) => Value | undefined;
  readonly #caches: RecordCaches;
  #values: ReadonlyMap<string, Value> | undefined;
  /** When the last read started. */
  readAt: number = NEVER;
  /** Number of changes by this process. */
  #changes = 0;
  /** Changes in progress, by their record. */
  #pending: Map<string, Pending> | undefined;

  /**
   * @param parse returns `undefined` for a record of another version, which is ignored
   * @param caches kinds that are looked up together with this one
   */
  constructor(store: () => RecordStore, parse: (value: JsonValue) => Value | undefined, caches: RecordCaches) {
    this.#store = store;
    this.#parse = parse;
    this.#caches = caches;
    caches.add(this);
  }

  get isRead(): boolean {
    return this.#values !== undefined;
  }

  /** All records; await `ready()` of the caches before. Another object after each change. */
  get all(): ReadonlyMap<string, Value> {
    if (this.#values === undefined) throw new Error("records are looked up before they are read");
    return this.#values;
  }

  /**
   * Changes a record atomically.
   *
   * @param make returns the new value for the old one; `undefined` deletes it
   */
  async change(key: string, make: (before: JsonValue | undefined) => JsonValue | undefined): Promise<void> {
    this.#pending ??= new Map();
    const pending = this.#pending.get(key) ?? { count: 0, isConcurrent: false };
    this.#pending.set(key, pending);
    if (++pending.count > 1) pending.isConcurrent = true;
    try {
      const store = this.#store();
      for (;;) {
        const before = await store.get(key);
        const after = make(before);
        if (before === undefined && after === undefined) return;
        if (!(await store.compareAndSet(key, before, after))) continue;
        this.#changes++;
        // The cache cannot know which of several was stored last.
        if (pending.isConcurrent) this.#invalidate();
        else this.#update(key, after);
        return;
      }
    } finally {
      if (--pending.count === 0) this.#pending?.delete(key);
    }
  }

  /** For a record that was deleted without this cache. */
  deleted(key: string): void {
    this.#changes++;
    const pending = this.#pending?.get(key);
    if (pending === undefined) {
      this.#update(key, undefined);
      return;
    }
    pending.isConcurrent = true;
    this.#invalidate();
  }

  /** For records that were changed without this cache: the next request waits until they are read again. */
  forget(): void {
    this.#invalidate();
    this.#changes++;
  }

  #invalidate(): void {
    this.readAt = NEVER;
    this.#caches.forget();
  }

  #update(key: string, value: JsonValue | undefined): void {
    if (this.#values === undefined) return;
    const held = new Map(this.#values);
    const parsed = value === undefined ? undefined : this.#parse(value);
    if (parsed === undefined) held.delete(key);
    else held.set(key, parsed);
    this.#values = held;
  }

  /** Reads all records again, for the caches. */
  async read(): Promise<void> {
    for (;;) {
      const changes = this.#changes;
      const begin = this.#caches.now();
      const records = await this.#store().list();
      // The read may be older than a change in the meantime: a revoked key must not become valid again.
      if (changes !== this.#changes) continue;
      const held = new Map<string, Value>();
      for (const [key, value] of records) {
        const parsed = this.#parse(value);
        if (parsed !== undefined) held.set(key, parsed);
      }
      this.#values = held.size > 0 ? held : NO_VALUES;
      this.readAt = begin;
      return;
    }
  }
}
