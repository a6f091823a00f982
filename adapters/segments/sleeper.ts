/** Delays that do not keep the process alive, and that end when their owner is closed. */
export class Sleeper {
  readonly #sleeping: Set<() => void> = new Set();
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

/** A timer that does not keep the process alive, in runtimes with processes. */
export function unrefTimer(millis: number, then: () => void): ReturnType<typeof setTimeout> {
  const timer = setTimeout(then, millis);
  if (typeof timer === "object") timer.unref?.();
  return timer;
}
