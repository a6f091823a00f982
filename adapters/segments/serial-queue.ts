/** A change that was made in memory; `durable` resolves when the log has it, too. */
export interface Applied<T> {
  readonly result: T;
  readonly durable: Promise<void>;
}

/** Makes a change, at once or after it has read something. */
export type Apply<T> = () => Applied<T> | Promise<Applied<T>>;

/**
 * Makes changes of one bucket in the order of the calls. Most are made at once; one that must read first holds up those
 * behind it until it is made. Nobody waits for the disk of somebody else.
 */
export class SerialQueues {
  /** The last change of each bucket id that is not made yet. */
  readonly #last: Map<string | symbol, Promise<unknown>> = new Map();

  run<T>(bucketId: string, apply: Apply<T>): Promise<T> {
    const last = this.#last.get(bucketId);
    if (last !== undefined) return this.#hold(bucketId, last.then(apply)).then(settled);
    const applied = apply();
    return applied instanceof Promise ? this.#hold(bucketId, applied).then(settled) : settled(applied);
  }

  /** Does some work when its turn has come with each of several bucket ids. Changes behind it wait until it is done. */
  runAll<T>(bucketIds: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const ids: (string | symbol)[] = [...bucketIds];
    if (ids.length === 0) ids.push(Symbol());
    // All places at once: whoever comes later is behind this one everywhere, so nobody waits in a circle.
    const working = Promise.all(ids.map((id) => this.#last.get(id))).then(work);
    for (const id of ids) void this.#hold(id, working).catch(() => undefined);
    return working;
  }

  /** Resolves when everything that was begun is made. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }

  #hold<T>(bucketId: string | symbol, applying: Promise<T>): Promise<T> {
    const turn = applying.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(bucketId, turn);
    void turn.then(() => {
      if (this.#last.get(bucketId) === turn) this.#last.delete(bucketId);
    });
    return applying;
  }
}

function settled<T>({ result, durable }: Applied<T>): Promise<T> {
  return durable.then(() => result);
}
