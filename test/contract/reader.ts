import type { EventBatch } from "../../src/domain/batch.js";
import type { StoredEvent } from "../../src/domain/event.js";
import type { EventRange, Storage } from "../../src/storage/storage.js";
import { eventsOf } from "./case.js";

/** A read of the bucket `window`, whose batches are pulled one by one. */
export class Reader {
  readonly events: StoredEvent[] = [];
  readonly #iterator: AsyncIterator<EventBatch>;

  private constructor(iterator: AsyncIterator<EventBatch>) {
    this.#iterator = iterator;
  }

  static async of(storage: Storage, range?: EventRange): Promise<Reader> {
    const { batches } = await storage.read("window", range);
    return new Reader(batches[Symbol.asyncIterator]());
  }

  /** Resolves whether there was one more. */
  async pull(): Promise<boolean> {
    const { done, value } = await this.#iterator.next();
    if (done === true) return false;
    for (const event of eventsOf(value)) this.events.push(event);
    return true;
  }

  /** Pulls what is left; `between` runs behind each batch. */
  async all(between: () => Promise<void> = async () => undefined): Promise<StoredEvent[]> {
    while (await this.pull()) await between();
    return this.events;
  }

  async stop(): Promise<void> {
    await this.#iterator.return?.();
  }
}
