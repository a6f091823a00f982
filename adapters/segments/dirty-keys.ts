/** A change of a record. */
interface Change {
  readonly number: number;
  /** Its maximum size in a snapshot. */
  readonly bytes: number;
}

/** Keys of records that changed since the latest commit. */
export class DirtyKeys {
  /** With the latest change of each. */
  readonly #keys: Map<string, Change> = new Map();
  #changes = 0;
  #bytes = 0;
  /** Called after each addition. */
  onAdded: () => void = () => undefined;

  /** Estimated size of all these records in a snapshot. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param line the record as a log line; optional if it is short */
  add(key: string, line = ""): void {
    const before = this.#keys.get(key)?.bytes ?? 0;
    const bytes = Math.max(before, key.length + line.length);
    this.#bytes += bytes - before;
    this.#keys.set(key, { number: ++this.#changes, bytes });
    this.onAdded();
  }

  /** All keys with the numbers of their changes, for `forget`. */
  captured(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.#keys, ([key, { number }]) => [key, number]));
  }

  /** Removes keys after a commit, except those that changed since they were captured. */
  forget(captured: ReadonlyMap<string, number>): void {
    for (const [key, number] of captured) {
      const change = this.#keys.get(key);
      if (change?.number !== number) continue;
      this.#keys.delete(key);
      this.#bytes -= change.bytes;
    }
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.#keys.keys();
  }
}
