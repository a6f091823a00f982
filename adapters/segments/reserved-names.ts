import { LazyMap } from "../../src/util/lazy-collections.js";

/**
 * Bucket IDs and record keys that a commit in progress will change without locking them. Nothing may be based on their
 * state in memory until the outcome of that commit is known.
 */
export class ReservedNames {
  readonly #ends: LazyMap<string, Promise<void>> = new LazyMap();

  /** Resolves when a name is free; `undefined` if it is free now. */
  awaitFree(name: string): Promise<void> | undefined {
    return this.#ends.size === 0 ? undefined : this.#ends.get(name);
  }

  /** @param until resolves when the names are free again */
  add(names: readonly string[], until: Promise<void>): void {
    for (const name of names) this.#ends.set(name, until);
    void until.then(() => {
      for (const name of names) if (this.#ends.get(name) === until) this.#ends.delete(name);
    });
  }
}

/** The name that reserves a bucket ID. Keys of records start differently. */
export function bucketIdName(bucketId: string): string {
  return `id ${bucketId}`;
}
