import { ActivityError } from "../../src/errors.js";
import type { Cleaner } from "./cleaner.js";
import { writeFailure } from "./failures.js";
import type { LogWriter } from "./log-writer.js";
import type { Sleeper } from "./sleeper.js";
import type { SegmentStore } from "./store.js";
import { withReserve } from "./with-reserve.js";

/** How long reads may hold what is to be erased. */
const MOST_ERASING_MILLIS = 30_000;
/** Between two attempts, after one that failed. */
const AGAIN_MILLIS = 60_000;

/** What an eraser is made with. */
interface EraserOptions {
  readonly store: SegmentStore;
  readonly log: LogWriter;
  readonly cleaner: Cleaner;
  readonly sleeper: Sleeper;
}

/** Sees to it that nothing of the store holds what was deleted before. */
export class Eraser {
  readonly #options: EraserOptions;
  #again: Promise<void> | undefined;
  #isClosing = false;

  constructor(options: EraserOptions) {
    this.#options = options;
  }

  /** @throws ActivityError when that is not possible now; it is tried again in the background */
  async erase(): Promise<void> {
    try {
      await this.#erase();
    } catch (thrown) {
      this.#again ??= this.#tryAgain().finally(() => {
        this.#again = undefined;
      });
      throw writeFailure(thrown);
    }
  }

  /** The sleeper must be awake. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#again;
  }

  #erase(): Promise<void> {
    const { store, log, cleaner } = this.#options;
    return withReserve(this.#options, async () => {
      await log.soFar();
      if (!(await cleaner.finish(MOST_ERASING_MILLIS))) {
        throw new ActivityError("STORAGE_FAILED", "they are still in use by somebody who reads");
      }
      await log.renew();
      await store.eraseDeleted?.();
    });
  }

  async #tryAgain(): Promise<void> {
    for (;;) {
      await this.#options.sleeper.sleep(AGAIN_MILLIS);
      if (this.#isClosing) return;
      const isErased = await this.#erase().then(
        () => true,
        () => false,
      );
      if (isErased) return;
    }
  }
}
