import type { EventBatch } from "../../domain/batch.js";
import type { StoredEvent } from "../../domain/event.js";
import type { TransactionView } from "../../storage/transaction.js";

/** Walks through the events of a bucket, the oldest first, to one number after another. */
export class Walk {
  readonly #view: TransactionView;
  readonly #bucketId: string;
  /** `undefined` until the first event is asked for: a read that nobody begins would never end. */
  #batches: AsyncIterator<EventBatch> | undefined;
  #batch: EventBatch | undefined;
  /** The number of its first event. */
  #start = 0;

  constructor(view: TransactionView, bucketId: string) {
    this.#view = view;
    this.#bucketId = bucketId;
  }

  /** Frees what it reads. */
  async end(): Promise<void> {
    await this.#batches?.return?.();
  }

  /** @returns `undefined` for one that it has gone past */
  async at(position: number): Promise<StoredEvent | undefined> {
    this.#batches ??= (await this.#view.read(this.#bucketId, { order: "oldest" })).batches[Symbol.asyncIterator]();
    while (position >= this.#start + (this.#batch?.length ?? 0)) {
      this.#start += this.#batch?.length ?? 0;
      const next = await this.#batches.next();
      if (next.done === true) return undefined;
      this.#batch = next.value;
    }
    return position < this.#start ? undefined : this.#batch?.eventAt(position - this.#start);
  }
}
