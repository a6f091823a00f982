import { LazySet } from "../../src/util/lazy-collections.js";
import { unrefTimer } from "../../src/util/unref-timer.js";

/** Delays that do not keep the process alive, and that end when their owner is closed. */
export class Sleeper {
  readonly #sleeping: LazySet<() => void> = new LazySet();
  #isAwake = false;

  /** Resolves after some milliseconds, or when `wake` is called. */
  sleep(millis: number): Promise<void> {
    if (this.#isAwake) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#sleeping.delete(wake);
        resolve();
      };
      const timer = unrefTimer(millis, wake);
      this.#sleeping.add(wake);
    });
  }

  /** Ends all current and future delays. */
  wake(): void {
    this.#isAwake = true;
    for (const wake of [...this.#sleeping]) wake();
  }
}
