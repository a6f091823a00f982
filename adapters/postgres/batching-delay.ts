/** With fewer callers, heartbeats are sent immediately. */
const MIN_CALLERS = 4;
/** Up to this number of callers, wait for all of them. With twice as many or more, half of them are enough. */
const WAIT_FOR_ALL_CALLERS = 24;
/** Longest gap between two successive callers, in milliseconds. */
const GAP_MILLIS = 1;
/** Longest wait of the first caller for the others. */
const MAX_WAIT_MILLIS = 5;

/**
 * Decides when to send waiting heartbeats. A statement costs as much as ten heartbeats, and callers send their next
 * ones one after another: sent immediately, each would need its own statement. So it waits for as many callers as there
 * were recently, or for half of them if there are many, while the other half is stored. It waits only while callers
 * keep arriving, and not at all if there are few. It counts buckets, because they determine the time of a statement.
 */
export class BatchingDelay {
  readonly #most: number;
  /** Buckets in progress or ready at the start of the last two statements. */
  #callers: readonly [last: number, before: number] = [0, 0];
  #seen = 0;
  #firstAt = 0;
  #lastAt = 0;

  /** @param most buckets of one statement */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * @param ready buckets that wait to be sent
   * @param now in milliseconds, like all other times
   * @returns how long to wait for others and ask again; 0 to send them
   */
  waitMillis(ready: number, now: number): number {
    const callers = Math.max(...this.#callers);
    const wanted = Math.min(this.#most, Math.max(callers / 2, Math.min(callers, WAIT_FOR_ALL_CALLERS)));
    if (callers < MIN_CALLERS || ready >= wanted) return 0;
    if (this.#seen === 0) this.#firstAt = now;
    if (ready > this.#seen) this.#lastAt = now;
    this.#seen = ready;
    return Math.max(0, Math.min(this.#lastAt + GAP_MILLIS, this.#firstAt + MAX_WAIT_MILLIS) - now);
  }

  /** Records the start of a statement. @param callers in it, in other running ones, and ready */
  recordStatement(callers: number): void {
    this.#callers = [callers, this.#callers[0]];
    this.#seen = 0;
  }
}
