import type { EventBatch } from "../../domain/batch.js";
import type { StoredEvent } from "../../domain/event.js";
import type { TransactionView } from "../../storage/transaction.js";

/** Walks through the events of a bucket, the oldest first, to one number after another. */
export class Walk {
  readonly #batches: AsyncIterator<EventBatch>;
  #batch: EventBatch | undefined;
  /** The number of its first event. */
  #start = 0;

  private constructor(batches: AsyncIterable<EventBatch>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  static async begin(view: TransactionView, bucketId: string): Promise<Walk> {
    return new Walk((await view.read(bucketId, { order: "oldest" })).batches);
  }

  /** @returns `undefined` for one that it has gone past */
  async at(position: number): Promise<StoredEvent | undefined> {
    while (position >= this.#start + (this.#batch?.length ?? 0)) {
      this.#start += this.#batch?.length ?? 0;
      const next = await this.#batches.next();
      if (next.done === true) return undefined;
      this.#batch = next.value;
    }
    return position < this.#start ? undefined : this.#batch?.eventAt(position - this.#start);
  }
}
