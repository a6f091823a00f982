/** A change of a record. */
interface Change {
  readonly number: number;
  /** What it takes in a snapshot, at most. */
  readonly bytes: number;
}

/** Keys of records that the latest commit does not have as they are in memory. */
export class DirtyKeys {
  /** With the latest change that made them so. */
  readonly #keys: Map<string, Change> = new Map();
  #changes = 0;
  #bytes = 0;
  /** Called after each addition. */
  onAdded: () => void = () => undefined;

  /** About how many bytes all the records take in a snapshot. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param line the record as a line of the log; left out where it is short */
  add(key: string, line = ""): void {
    const before = this.#keys.get(key)?.bytes ?? 0;
    const bytes = Math.max(before, key.length + line.length);
    this.#bytes += bytes - before;
    this.#keys.set(key, { number: ++this.#changes, bytes });
    this.onAdded();
  }

  /** All of them, with the numbers of their changes, for `forget`. */
  captured(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.#keys, ([key, { number }]) => [key, number]));
  }

  /** A commit has them as they were captured; those that have changed since stay. */
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
