import type { RequestContext } from "./request-context.js";

/** Milliseconds between two responses to wrong credentials. */
const INTERVAL_MILLIS = 100;
/** Responses that wait at a time. More would only use memory and delay later ones. */
const MAX_WAITING = 64;

/** Calls back after a number of milliseconds. @returns cancels the wait */
type After = (millis: number, done: () => void) => () => void;

/**
 * Slows down responses to wrong credentials from all clients together: one at a time is sent, over however many
 * connections. Right credentials never wait.
 */
export class RefusalThrottle {
  readonly #after: After;
  /** In the order of the requests. */
  readonly #queue: Set<() => void> = new Set();
  #stopWaiting: (() => void) | undefined;

  constructor(after: After = startTimer) {
    this.#after = after;
  }

  /**
   * Waits until a response may be sent, or its client is gone.
   *
   * @returns `false` at once if too many wait already
   */
  turn(request: Pick<RequestContext, "onGone">): Promise<boolean> {
    if (this.#queue.size >= MAX_WAITING) return Promise.resolve(false);
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

  /** Waits for the first of the queue. */
  #wait(): () => void {
    return this.#after(INTERVAL_MILLIS, () => {
      const [first] = this.#queue;
      this.#stopWaiting = undefined;
      first?.();
      if (this.#queue.size > 0) this.#stopWaiting ??= this.#wait();
    });
  }

  /** Stops the timer if no response waits; it would only keep the process alive. */
  #stop(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }
}

function startTimer(millis: number, done: () => void): () => void {
  const timer = setTimeout(done, millis);
  return () => clearTimeout(timer);
}
