import { LazyMap } from "../../src/util/lazy-collections.js";

/** A change in memory; `durable` resolves when the log contains it. */
export interface Applied<T> {
  readonly result: T;
  readonly durable: Promise<void>;
}

/** Applies a change, immediately or after a read. */
export type Apply<T> = () => Applied<T> | Promise<Applied<T>>;

/**
 * Applies changes of one bucket in the order of the calls. Most are immediate; one that must read first delays the next
 * ones until it is applied. No change waits for another one's disk writes.
 */
export class SerialQueues {
  /** The last pending change of each bucket ID. */
  readonly #last: LazyMap<string | symbol, Promise<unknown>> = new LazyMap();

  run<T>(bucketId: string, apply: Apply<T>): Promise<T> {
    const last = this.#last.get(bucketId);
    if (last !== undefined) return this.#enqueue(bucketId, last.then(apply)).then(whenDurable);
    const applied = apply();
    return applied instanceof Promise ? this.#enqueue(bucketId, applied).then(whenDurable) : whenDurable(applied);
  }

  /** Runs work after the pending changes of several bucket IDs. Later changes wait until it is done. */
  runAll<T>(bucketIds: Iterable<string>, work: () => Promise<T>): Promise<T> {
    const ids: (string | symbol)[] = [...bucketIds];
    if (ids.length === 0) ids.push(Symbol());
    // Takes all places at once: later calls are behind this one in every queue, so that no deadlock is possible.
    const working = Promise.all(ids.map((id) => this.#last.get(id))).then(work);
    for (const id of ids) void this.#enqueue(id, working).catch(() => undefined);
    return working;
  }

  /** Resolves when all pending changes are applied. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }

  #enqueue<T>(bucketId: string | symbol, applying: Promise<T>): Promise<T> {
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

function whenDurable<T>({ result, durable }: Applied<T>): Promise<T> {
  return durable.then(() => result);
}
