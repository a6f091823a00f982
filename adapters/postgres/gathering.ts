/** Fewer buckets than this are not waited for. */
const LEAST = 4;
/** From here on half of the callers at a time are enough; up to here all of them travel together. */
const ENOUGH = 24;
/** How long the next one of those that come one after another may take, in milliseconds. */
const GAP_MILLIS = 1;
/** How long the first one waits for the others. */
const LONGEST_MILLIS = 5;

/**
 * Says when the heartbeats that are ready are worth a statement, which costs as much as ten of them do. Callers that
 * were answered come back one after another: sent at once, the first ones would travel alone. So as many are waited for
 * as came lately, or with many of them for half, while the other half is stored; not for longer than a moment in which
 * nobody comes, and not at all while there are few. Counts buckets, as those are what a statement spends its time on.
 */
export class Gathering {
  readonly #most: number;
  /** Buckets that were under way or ready when the last two statements began. */
  #callers: readonly [last: number, before: number] = [0, 0];
  #seen = 0;
  #firstAt = 0;
  #lastAt = 0;

  /** @param most of one statement */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * @param ready those that wait to be sent
   * @param now in milliseconds, as all other times
   * @returns how long to wait for others and ask again; 0 when they are to be sent
   */
  waitMillis(ready: number, now: number): number {
    const callers = Math.max(...this.#callers);
    const wanted = Math.min(this.#most, Math.max(callers / 2, Math.min(callers, ENOUGH)));
    if (callers < LEAST || ready >= wanted) return 0;
    if (this.#seen === 0) this.#firstAt = now;
    if (ready > this.#seen) this.#lastAt = now;
    this.#seen = ready;
    return Math.max(0, Math.min(this.#lastAt + GAP_MILLIS, this.#firstAt + LONGEST_MILLIS) - now);
  }

  /** Notes that a statement begins. @param callers in it, in others under way, and ready */
  begin(callers: number): void {
    this.#callers = [callers, this.#callers[0]];
    this.#seen = 0;
  }
}
