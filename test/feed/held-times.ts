import type { FeedTimes } from "../../src/service/feed/times.js";

/** Time that only passes when a test says so. */
export class HeldTimes implements FeedTimes {
  #now = 0;
  readonly #timers: Set<{ readonly at: number; readonly callback: () => void }> = new Set();

  now(): number {
    return this.#now;
  }

  after(millis: number, callback: () => void): () => void {
    const timer = { at: this.#now + millis, callback };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  soon(millis: number, callback: () => void): () => void {
    return this.after(millis, callback);
  }

  /** Lets time pass, with the timers in their order. */
  pass(millis: number): void {
    const end = this.#now + millis;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
    }
    this.#now = end;
  }
}
