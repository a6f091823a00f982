import type { EventBatch } from "../../domain/batch.js";
import type { StoredEvent } from "../../domain/event.js";
import type { EventRange, EventRead } from "../../storage/storage.js";

/** A source of events: a storage, or the view of a transaction. */
export interface Reader {
  read(bucketId: string, range?: EventRange): Promise<EventRead>;
}

/** All events of a bucket, the oldest first. The read starts with the first pull: an unused read would never end. */
export async function* readAllEvents(reader: Reader, bucketId: string): AsyncGenerator<EventBatch> {
  yield* (await reader.read(bucketId, { order: "oldest" })).batches;
}

/** Reads the events of a bucket, the oldest first, at increasing positions. */
export class ForwardReader {
  readonly #batches: AsyncGenerator<EventBatch>;
  #batch: EventBatch | undefined;
  /** The position of its first event. */
  #start = 0;

  constructor(reader: Reader, bucketId: string) {
    this.#batches = readAllEvents(reader, bucketId);
  }

  /** Frees the resources of the read. */
  async close(): Promise<void> {
    await this.#batches.return(undefined);
  }

  /** @returns `undefined` for an earlier position */
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
