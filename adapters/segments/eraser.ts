import { ActivityError } from "../../src/errors.js";
import type { Cleaner } from "./cleaner.js";
import { writeFailure } from "./failures.js";
import type { LogWriter } from "./log-writer.js";
import type { Sleeper } from "./sleeper.js";
import type { SegmentStore } from "./store.js";
import { withReserve } from "./with-reserve.js";

/** Maximum time that reads may block erasing. */
const MAX_WAIT_MILLIS = 30_000;
/** Delay after a failed attempt. */
const RETRY_MILLIS = 60_000;

interface EraserOptions {
  readonly store: SegmentStore;
  readonly log: LogWriter;
  readonly cleaner: Cleaner;
  readonly sleeper: Sleeper;
}

/** Erases all deleted values from the store. */
export class Eraser {
  readonly #options: EraserOptions;
  #retrying: Promise<void> | undefined;
  #isClosing = false;

  constructor(options: EraserOptions) {
    this.#options = options;
  }

  /** @throws ActivityError when it is impossible now; the background work retries it */
  async erase(): Promise<void> {
    try {
      await this.#erase();
    } catch (thrown) {
      this.#retrying ??= this.#retry().finally(() => {
        this.#retrying = undefined;
      });
      throw writeFailure(thrown);
    }
  }

  /** Requires that the sleeper is awake. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#retrying;
  }

  #erase(): Promise<void> {
    const { store, log, cleaner } = this.#options;
    return withReserve(this.#options, async () => {
      await log.awaitDurable();
      if (!(await cleaner.finish(MAX_WAIT_MILLIS))) {
        throw new ActivityError("STORAGE_FAILED", "they are still in use by a read");
      }
      await log.restart();
      await store.eraseDeleted?.();
    });
  }

  async #retry(): Promise<void> {
    for (;;) {
      await this.#options.sleeper.sleep(RETRY_MILLIS);
      if (this.#isClosing) return;
      const isErased = await this.#erase().then(
        () => true,
        () => false,
      );
      if (isErased) return;
    }
  }
}
