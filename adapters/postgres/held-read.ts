import type { EventBatch } from "../../src/domain/batch.js";
import { ActivityError, storageClosed } from "../../src/errors.js";
import type { Taken } from "./database.js";
import { failureOf, NOTHING_READ } from "./failures.js";
import { lengthOf } from "./pages.js";
import { type PostgresClient, rowsOf } from "./pool.js";

/** Characters of JSON to read ahead of a consumer: most reads end before a slow consumer delays them. */
const READ_AHEAD = 4_000_000;
/** How long a consumer may pause before its connection is released. */
const STALL_MILLIS = 60_000;

/** Returns the next batch, or `undefined` at the end. */
export type NextBatch = (client: PostgresClient) => Promise<EventBatch | undefined>;

/**
 * A read of more than one page: a transaction with one snapshot, on a separate connection. Reads ahead, and releases
 * the connection as early as possible.
 */
export class HeldRead {
  readonly #taken: Taken;
  readonly #next: NextBatch;
  readonly #onEnd: () => void;
  readonly #waiting: { readonly batch: EventBatch; readonly length: number }[] = [];
  #waitingLength = 0;
  #state: "reading" | "full" | "ended" = "reading";
  #failure: ActivityError | undefined;
  #wake: () => void = () => {};
  #stall: NodeJS.Timeout | undefined;

  /** @param onEnd called once, after the connection was released */
  constructor(taken: Taken, next: NextBatch, onEnd: () => void) {
    this.#taken = taken;
    this.#next = next;
    this.#onEnd = onEnd;
    void this.#readAhead();
  }

  async *batches(): AsyncGenerator<EventBatch> {
    try {
      for (;;) {
        if (this.#failure !== undefined) throw this.#failure;
        const next = this.#waiting.shift();
        if (next !== undefined) {
          this.#waitingLength -= next.length;
          this.#goOn();
          yield next.batch;
        } else if (this.#state === "ended") return;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.stop();
    }
  }

  /** Ends the read; the consumer's next pull gets the failure. */
  stop(failure?: ActivityError): void {
    this.#failure ??= failure;
    if (this.#state === "full") void this.#leave();
    this.#state = "ended";
    this.#wake();
  }

  #goOn(): void {
    if (this.#state !== "full" || this.#waitingLength >= READ_AHEAD / 2) return;
    clearTimeout(this.#stall);
    this.#state = "reading";
    void this.#readAhead();
  }

  async #readAhead(): Promise<void> {
    try {
      while (this.#waitingLength < READ_AHEAD) {
        const batch = await this.#next(this.#taken.client);
        // Stopped in the meantime.
        if (this.#state === "ended") return this.#leave();
        if (batch === undefined) {
          this.#state = "ended";
          this.#wake();
          return this.#leave();
        }
        const length = lengthOf(batch);
        this.#waiting.push({ batch, length });
        this.#waitingLength += length;
        this.#wake();
      }
    } catch (error) {
      this.#failure ??= failureOf(error, NOTHING_READ);
      this.#state = "ended";
      this.#end(true);
      return this.#wake();
    }
    // Stopped while the last batch was queued.
    if (this.#state === "ended") return this.#leave();
    this.#state = "full";
    this.#stall = setTimeout(() => this.stop(stalled()), STALL_MILLIS);
    this.#stall.unref();
  }

  async #leave(): Promise<void> {
    await rowsOf(this.#taken.client, "rollback").then(
      () => this.#end(false),
      () => this.#end(true),
    );
  }

  #end(isBroken: boolean): void {
    clearTimeout(this.#stall);
    this.#taken.giveBack(isBroken);
    this.#onEnd();
  }
}

function stalled(): ActivityError {
  return new ActivityError(
    "STORAGE_FAILED",
    `the consumer of a read paused for ${STALL_MILLIS / 1000} seconds; ${NOTHING_READ}`,
  );
}

/** A connection that is kept as long as its consumer keeps reading. */
export class Lease {
  readonly #taken: Taken;
  readonly #onEnd: () => void;
  #failure: ActivityError | undefined;
  #isOver = false;
  #stall: NodeJS.Timeout | undefined;

  constructor(taken: Taken, onEnd: () => void) {
    this.#taken = taken;
    this.#onEnd = onEnd;
  }

  /** Why it was released early, if it was. */
  get failure(): ActivityError | undefined {
    return this.#failure;
  }

  /** Starts the time limit: the consumer has a batch, and must request the next one in time. */
  rest(): void {
    this.#stall = setTimeout(() => this.stop(stalled()), STALL_MILLIS);
    this.#stall.unref();
  }

  /** Stops the time limit. @throws ActivityError if the connection was released in the meantime */
  resume(): void {
    clearTimeout(this.#stall);
    if (this.#failure !== undefined) throw this.#failure;
  }

  stop(failure: ActivityError): void {
    this.#failure ??= failure;
    this.end(true);
  }

  /** Releases the connection. Only the first call has an effect. */
  end(isBroken: boolean): void {
    clearTimeout(this.#stall);
    if (this.#isOver) return;
    this.#isOver = true;
    this.#taken.giveBack(isBroken);
    this.#onEnd();
  }
}

/** Reads that occupy a connection. Ends them when the storage is closed. */
export class HeldReads {
  readonly #reads: Set<HeldRead | Lease> = new Set();

  lease(taken: Taken, onEnd: () => void): Lease {
    const lease = new Lease(taken, () => {
      this.#reads.delete(lease);
      onEnd();
    });
    this.#reads.add(lease);
    return lease;
  }

  begin(taken: Taken, next: NextBatch, onEnd: () => void): HeldRead {
    const read = new HeldRead(taken, next, () => {
      this.#reads.delete(read);
      onEnd();
    });
    this.#reads.add(read);
    return read;
  }

  stop(): void {
    for (const read of this.#reads) read.stop(storageClosed());
  }
}
