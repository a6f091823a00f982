import type { JsonValue } from "../../domain/json.js";
import type { RecordStore } from "../../storage/records.js";

/** How long records are used before they are read again, in milliseconds: another process may have changed them. */
const FRESH_MILLIS = 3000;

/**
 * Records of one kind, in memory: read when they are first needed, and again behind a request when they are old. A
 * change that is made here is seen at once, one of another process after some seconds.
 */
export class RecordCache<Value> {
  readonly #store: () => RecordStore;
  readonly #parse: (value: JsonValue) => Value | undefined;
  #held: ReadonlyMap<string, Value> | undefined;
  #heldSince = 0;
  #reading: Promise<ReadonlyMap<string, Value>> | undefined;
  /** Counts the changes that were made here. */
  #changes = 0;

  /** @param parse gives `undefined` for a record that is none of this kind; it is left out */
  constructor(store: () => RecordStore, parse: (value: JsonValue) => Value | undefined) {
    this.#store = store;
    this.#parse = parse;
  }

  /** All of them; a promise only the first time. Another object after each change. */
  all(): ReadonlyMap<string, Value> | Promise<ReadonlyMap<string, Value>> {
    if (this.#held === undefined) return this.#readOnce();
    // What goes wrong now goes wrong again, where somebody waits for it.
    if (performance.now() - this.#heldSince > FRESH_MILLIS) this.#readOnce().catch(() => undefined);
    return this.#held;
  }

  /**
   * Changes a record, whatever others do at the same time.
   *
   * @param make what is to be kept in the place of a value; `undefined` for none
   */
  async change(key: string, make: (before: JsonValue | undefined) => JsonValue | undefined): Promise<void> {
    const store = this.#store();
    for (;;) {
      const before = await store.get(key);
      const after = make(before);
      if (before === undefined && after === undefined) return;
      if (!(await store.compareAndSet(key, before, after))) continue;
      this.#changes++;
      this.#hold(key, after);
      return;
    }
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
      const records = await this.#store().list();
      if (changes !== this.#changes) {
        // What was read may be older than what was changed meanwhile: a key that is revoked must not come back.
        if (this.#held !== undefined) return this.#held;
        continue;
      }
      const held = new Map<string, Value>();
      for (const [key, value] of records) {
        const parsed = this.#parse(value);
        if (parsed !== undefined) held.set(key, parsed);
      }
      this.#held = held;
      this.#heldSince = performance.now();
      return held;
    }
  }
}
