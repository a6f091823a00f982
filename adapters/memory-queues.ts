/** Delays writes to a bucket while a transaction holds it, in the order of the calls. */
export class SerialQueues {
  /** The last transaction that holds a bucket ID, or waits for it. */
  readonly #last: Map<string, Promise<void>> = new Map();

  /** Resolves when earlier calls have released a bucket; `undefined` if it is free. */
  before(bucketId: string): Promise<void> | undefined {
    return this.#last.size === 0 ? undefined : this.#last.get(bucketId);
  }

  /** Runs work with exclusive access to some buckets. */
  async hold<T>(bucketIds: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const ids = [...bucketIds];
    const before = ids.flatMap((id) => this.#last.get(id) ?? []);
    // Queue for all buckets at once: every later call comes after this one everywhere, so a deadlock is impossible.
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
