import type { Logger } from "../../logger.js";
import type { Retention } from "./retention.js";

/** After the start the disk has other things to do. */
const FIRST_MILLIS = 10 * 60_000;
const EVERY_MILLIS = 60 * 60_000;
/** A run takes at most about this share of the time. */
const SHARE = 0.2;

/** Carries retention out every hour, slowly. */
export class RetentionSchedule {
  readonly #retention: Retention;
  readonly #logger: Logger;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(retention: Retention, logger: Logger) {
    this.#retention = retention;
    this.#logger = logger;
  }

  /** Does not keep the process alive. */
  start(): void {
    if (this.#timer === undefined && !this.#isClosed) this.#next(FIRST_MILLIS);
  }

  #next(millis: number): void {
    this.#timer = setTimeout(() => void this.#run(), millis);
    // Outside Node it is a number.
    if (typeof this.#timer === "object") this.#timer.unref();
  }

  async #run(): Promise<void> {
    let since = performance.now();
    try {
      await this.#retention.run({
        isOver: () => this.#isClosed,
        pause: () => {
          const taken = performance.now() - since;
          return new Promise((resolve) => {
            const timer = setTimeout(
              () => {
                since = performance.now();
                resolve();
              },
              taken * (1 / SHARE - 1),
            );
            if (this.#isClosed) {
              clearTimeout(timer);
              resolve();
            }
          });
        },
      });
    } catch (thrown) {
      if (!this.#isClosed)
        this.#logger.error(new Error("retention failed; it is tried again in an hour", { cause: thrown }));
    }
    if (!this.#isClosed) this.#next(EVERY_MILLIS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#retention.settled();
  }
}
