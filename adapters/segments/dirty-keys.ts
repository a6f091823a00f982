/** Keys of records that the latest commit does not have as they are in memory. */
export class DirtyKeys {
  /** With the number of the change that made them so. */
  readonly #keys: Map<string, number> = new Map();
  #changes = 0;

  add(key: string): void {
    this.#keys.set(key, ++this.#changes);
  }

  /** All of them, with the numbers of their changes, for `forget`. */
  captured(): ReadonlyMap<string, number> {
    return new Map(this.#keys);
  }

  /** A commit has them as they were captured; those that have changed since stay. */
  forget(captured: ReadonlyMap<string, number>): void {
    for (const [key, change] of captured) if (this.#keys.get(key) === change) this.#keys.delete(key);
  }

  [Symbol.iterator](): IterableIterator<string> {
    return this.#keys.keys();
  }
}
