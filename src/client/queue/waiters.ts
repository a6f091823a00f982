import { HeartbeatQueueError } from "./queue-error.js";

interface Waiter {
  readonly n: number;
  readonly done: () => void;
  readonly fail: (error: HeartbeatQueueError) => void;
}

/** The calls that wait until heartbeats are done. */
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
      const waiter: Waiter = {
        n,
        done() {
          signal?.removeEventListener("abort", abort);
          resolve();
        },
        fail(error) {
          signal?.removeEventListener("abort", abort);
          reject(error);
        },
      };
      const abort = (): void => {
        this.#waiting.delete(waiter);
        waiter.fail(new HeartbeatQueueError("ABORTED", "the wait was aborted", { cause: signal?.reason }));
      };
      if (signal?.aborted) {
        abort();
        return;
      }
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.add(waiter);
    });
  }

  /** Ends the waits for heartbeats before this one, the first unfinished one. */
  settle(first: number): void {
    for (const waiter of this.#waiting) {
      if (waiter.n >= first) continue;
      this.#waiting.delete(waiter);
      waiter.done();
    }
  }

  fail(error: HeartbeatQueueError): void {
    for (const waiter of this.#waiting) waiter.fail(error);
  }
}
