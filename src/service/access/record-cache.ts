import type { JsonValue } from "../../domain/json.js";
import type { RecordStore } from "../../storage/records.js";

/** How long records are used before they are read again, in milliseconds: another process may have changed them. */
const FRESH_MILLIS = 1000;
/** How old the records may be that decide about a request. */
const OLDEST_MILLIS = 3000;

/** Changes of one record that are under way at the same time. */
interface Pending {
  count: number;
  /** Whether the order in which they are told may not be that in which they were stored. */
  isOvertaken: boolean;
}

/**
 * Records of one kind, in memory: read when they are first needed, again behind a request when they are no longer
 * fresh, and before it when they are old. A change that is made here is seen at once, one of another process after
 * three seconds at the latest.
 */
export class RecordCache<Value> {
  readonly #store: () => RecordStore;
  readonly #parse: (value: JsonValue) => Value | undefined;
  readonly #now: () => number;
  #held: ReadonlyMap<string, Value> | undefined;
  #heldSince = 0;
  #reading: Promise<ReadonlyMap<string, Value>> | undefined;
  /** Counts the changes that were made here. */
  #changes = 0;
  /** Changes that are under way, by their record. */
  readonly #pending: Map<string, Pending> = new Map();

  /**
   * @param parse gives `undefined` for a record that is none of this kind; it is left out
   * @param now a time that only grows, in milliseconds
   */
  constructor(
    store: () => RecordStore,
    parse: (value: JsonValue) => Value | undefined,
    now: () => number = () => performance.now(),
  ) {
    this.#store = store;
    this.#parse = parse;
    this.#now = now;
  }

  /**
   * All of them; a promise only where they have to be read first. Another object after each change.
   *
   * @throws what the store throws, when old records cannot be read again: they decide about nothing
   */
  all(): ReadonlyMap<string, Value> | Promise<ReadonlyMap<string, Value>> {
    return this.current() ?? this.#readOnce();
  }

  /** The same where they need not be read first. */
  current(): ReadonlyMap<string, Value> | undefined {
    const age = this.#now() - this.#heldSince;
    if (this.#held === undefined || age > OLDEST_MILLIS) return undefined;
    // What goes wrong now goes wrong again, where somebody waits for it.
    if (age > FRESH_MILLIS) this.#readOnce().catch(() => undefined);
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
        if (pending.isOvertaken) this.#held = undefined;
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
    this.#held = undefined;
  }

  /** Forgets what is held: somebody has emptied the store. */
  forget(): void {
    this.#held = undefined;
    this.#changes++;
  }

  #hold(key: string, value: JsonValue | undefined): void {
    if (this.#held === undefined) return;
    const held = new Map(this.#held);
    const parsed = value === undefined ? undefined : this.#parse(value);
    if (parsed === undefined) held.delete(key);
    else held.set(key, parsed);
    this.#held = held;
  }

  #readOnce(): Promise<ReadonlyMap<string, Value>> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<ReadonlyMap<string, Value>> {
    for (;;) {
      const changes = this.#changes;
      const begin = this.#now();
      const records = await this.#store().list();
      // What was read may be older than what was changed meanwhile: a key that is revoked must not come back.
      if (changes !== this.#changes) continue;
      const held = new Map<string, Value>();
      for (const [key, value] of records) {
        const parsed = this.#parse(value);
        if (parsed !== undefined) held.set(key, parsed);
      }
      this.#held = held;
      this.#heldSince = begin;
      return held;
    }
  }
}
