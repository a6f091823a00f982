import { HeartbeatQueueError } from "./queue-error.js";

interface Waiter {
  readonly n: number;
  /** @param error why it failed, if it did */
  end(error?: HeartbeatQueueError): void;
}

export class Waiters {
  readonly #waiting = new Set<Waiter>();

  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Waits until all heartbeats up to this number are done. @throws HeartbeatQueueError `ABORTED`; errors passed to
   * `fail()`
   */
  until(n: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (error?: HeartbeatQueueError): void => {
        this.#waiting.delete(waiter);
        signal?.removeEventListener("abort", abort);
        if (error === undefined) resolve();
        else reject(error);
      };
      const abort = (): void => {
        end(new HeartbeatQueueError("ABORTED", "the wait was aborted", { cause: signal?.reason }));
      };
      const waiter: Waiter = { n, end };
      this.#waiting.add(waiter);
      if (signal?.aborted) abort();
      else signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** Ends the waits for heartbeats before this one, the first unfinished one. */
  settle(first: number): void {
    for (const { n, end } of this.#waiting) if (n < first) end();
  }

  fail(error: HeartbeatQueueError): void {
    for (const { end } of this.#waiting) end(error);
  }
}
