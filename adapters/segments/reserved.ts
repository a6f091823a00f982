/**
 * What a commit under way is about to change without a lock of its own: ids of buckets and keys of records. Nothing may
 * be built on what the memory holds of them until it is known whether that commit counts.
 */
export class Reserved {
  readonly #ends: Map<string, Promise<void>> = new Map();

  /** Resolves when something is free; `undefined`: it is. */
  before(name: string): Promise<void> | undefined {
    return this.#ends.size === 0 ? undefined : this.#ends.get(name);
  }

  /** @param until resolves when they are free again */
  add(names: readonly string[], until: Promise<void>): void {
    for (const name of names) this.#ends.set(name, until);
    void until.then(() => {
      for (const name of names) if (this.#ends.get(name) === until) this.#ends.delete(name);
    });
  }
}

/** The name under which the id of a bucket is reserved; keys of records begin otherwise. */
export function reservedId(bucketId: string): string {
  return `id ${bucketId}`;
}
