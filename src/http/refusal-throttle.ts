import type { RequestContext } from "./request-context.js";

/** Milliseconds between two answers to wrong credentials. */
const INTERVAL_MILLIS = 100;
/** Answers that wait at a time: more would only hold memory, and whoever waits behind them. */
const MOST_WAITING = 64;

/** Calls back after so many milliseconds. @returns ends the waiting */
type After = (millis: number, done: () => void) => () => void;

/**
 * Slows down answers to wrong credentials, whoever sends them: one at a time goes out, however many connections there
 * are. Right ones never come here, so nobody else waits.
 */
export class RefusalThrottle {
  readonly #after: After;
  /** In the order of the requests. */
  readonly #queue: Set<() => void> = new Set();
  #stopWaiting: (() => void) | undefined;

  constructor(after: After = later) {
    this.#after = after;
  }

  /**
   * Waits for the turn of an answer, or until its client is gone.
   *
   * @returns `false` at once where too many wait already
   */
  turn(request: Pick<RequestContext, "onGone">): Promise<boolean> {
    if (this.#queue.size >= MOST_WAITING) return Promise.resolve(false);
    return new Promise((resolve) => {
      const leave = (): void => {
        if (!this.#queue.delete(leave)) return;
        stopListening?.();
        if (this.#queue.size === 0) this.#stop();
        resolve(true);
      };
      const stopListening = request.onGone?.(leave);
      this.#queue.add(leave);
      this.#stopWaiting ??= this.#wait();
    });
  }

  /** The wait for the first of the queue. */
  #wait(): () => void {
    return this.#after(INTERVAL_MILLIS, () => {
      const [first] = this.#queue;
      this.#stopWaiting = undefined;
      first?.();
      if (this.#queue.size > 0) this.#stopWaiting ??= this.#wait();
    });
  }

  /** Where nobody waits a timer would only keep the process alive. */
  #stop(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }
}

function later(millis: number, done: () => void): () => void {
  const timer = setTimeout(done, millis);
  return () => clearTimeout(timer);
}
