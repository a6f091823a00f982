/** Keeps writes to a bucket waiting while a transaction holds it, in the order of the calls. */
export class SerialQueues {
  /** The last transaction that holds a bucket id, or waits for it. */
  readonly #last: Map<string, Promise<void>> = new Map();

  /** Resolves when those that were called before let go of a bucket; `undefined`: nobody holds it. */
  before(bucketId: string): Promise<void> | undefined {
    return this.#last.size === 0 ? undefined : this.#last.get(bucketId);
  }

  /** Does some work when nobody else holds any of some buckets, and holds them meanwhile. */
  async hold<T>(bucketIds: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const ids = [...bucketIds];
    const before = ids.flatMap((id) => this.#last.get(id) ?? []);
    // All places at once: whoever comes later is behind this one everywhere, so nobody waits in a circle.
    let end = (): void => {};
    const place = new Promise<void>((resolve) => {
      end = resolve;
    });
    for (const id of ids) this.#last.set(id, place);
    try {
      await Promise.all(before);
      return await work();
    } finally {
      for (const id of ids) if (this.#last.get(id) === place) this.#last.delete(id);
      end();
    }
  }
}
