import type { EventBatch } from "../../src/domain/batch.js";
import { ActivityError, storageClosed } from "../../src/errors.js";
import type { TakenConnection } from "./database.js";
import { TRY_AGAIN, toStorageError } from "./failures.js";
import { batchLength } from "./pages.js";
import { type PostgresClient, runStatement } from "./pool.js";

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
export class LongRead {
  readonly #taken: TakenConnection;
  readonly #next: NextBatch;
  readonly #onEnd: () => void;
  readonly #waiting: { readonly batch: EventBatch; readonly length: number }[] = [];
  #waitingLength = 0;
  #state: "reading" | "full" | "ended" = "reading";
  #failure: ActivityError | undefined;
  #wake: () => void = () => {};
  #stall: NodeJS.Timeout | undefined;

  /** @param onEnd called once, after the connection was released */
  constructor(taken: TakenConnection, next: NextBatch, onEnd: () => void) {
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
          this.#resume();
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
    if (this.#state === "full") void this.#rollBack();
    this.#state = "ended";
    this.#wake();
  }

  #resume(): void {
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
        if (this.#state === "ended") return this.#rollBack();
        if (batch === undefined) {
          this.#state = "ended";
          this.#wake();
          return this.#rollBack();
        }
        const length = batchLength(batch);
        this.#waiting.push({ batch, length });
        this.#waitingLength += length;
        this.#wake();
      }
    } catch (error) {
      this.#failure ??= toStorageError(error, TRY_AGAIN);
      this.#state = "ended";
      this.#release(true);
      return this.#wake();
    }
    // Stopped while the last batch was queued.
    if (this.#state === "ended") return this.#rollBack();
    this.#state = "full";
    this.#stall = setTimeout(() => this.stop(stallError()), STALL_MILLIS);
    this.#stall.unref();
  }

  async #rollBack(): Promise<void> {
    await runStatement(this.#taken.client, "rollback").then(
      () => this.#release(false),
      () => this.#release(true),
    );
  }

  #release(isBroken: boolean): void {
    clearTimeout(this.#stall);
    this.#taken.release(isBroken);
    this.#onEnd();
  }
}

function stallError(): ActivityError {
  return new ActivityError(
    "STORAGE_FAILED",
    `the consumer of a read paused for ${STALL_MILLIS / 1000} seconds; ${TRY_AGAIN}`,
  );
}

/** A connection that is kept as long as its consumer keeps reading. */
export class ConnectionLease {
  readonly #taken: TakenConnection;
  readonly #onEnd: () => void;
  #failure: ActivityError | undefined;
  #isOver = false;
  #stall: NodeJS.Timeout | undefined;

  constructor(taken: TakenConnection, onEnd: () => void) {
    this.#taken = taken;
    this.#onEnd = onEnd;
  }

  /** Why it was released early, if it was. */
  get failure(): ActivityError | undefined {
    return this.#failure;
  }

  /** Starts the time limit: the consumer has a batch, and must request the next one in time. */
  startTimeLimit(): void {
    this.#stall = setTimeout(() => this.stop(stallError()), STALL_MILLIS);
    this.#stall.unref();
  }

  /** Stops the time limit. @throws ActivityError if the connection was released in the meantime */
  stopTimeLimit(): void {
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
    this.#taken.release(isBroken);
    this.#onEnd();
  }
}

/** Reads that occupy a connection. Ends them when the storage is closed. */
export class LongReads {
  readonly #reads: Set<LongRead | ConnectionLease> = new Set();

  lease(taken: TakenConnection, onEnd: () => void): ConnectionLease {
    const lease = new ConnectionLease(taken, () => {
      this.#reads.delete(lease);
      onEnd();
    });
    this.#reads.add(lease);
    return lease;
  }

  start(taken: TakenConnection, next: NextBatch, onEnd: () => void): LongRead {
    const read = new LongRead(taken, next, () => {
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
