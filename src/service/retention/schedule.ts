import type { Logger } from "../../logger.js";
import type { Trash } from "../trash/trash.js";
import type { RetentionRun } from "./log.js";
import type { Retention } from "./retention.js";

/** After the start the disk has other things to do. */
const FIRST_MILLIS = 10 * 60_000;
const EVERY_MILLIS = 60 * 60_000;
/** A run takes at most about this share of the time. */
const SHARE = 0.2;

/** Retention as a schedule starts and stops it. */
export interface ScheduledRetention extends Pick<Retention, "close"> {
  run(share: number): Promise<RetentionRun>;
}

/** What housekeeping did. */
export interface Maintenance {
  /** How many expired entries it removed from the trash. */
  readonly trashEntries: number;
  /** What retention rules deleted and summarized. */
  readonly retention: RetentionRun;
}

/** Carries retention out every hour, slowly, and empties the trash of what was in it long enough. */
export class RetentionSchedule {
  readonly #retention: ScheduledRetention;
  readonly #trash: Trash;
  readonly #logger: Logger;
  #purging: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  readonly #open: () => Promise<unknown>;

  /** @param open opens the storage */
  constructor(retention: ScheduledRetention, trash: Trash, logger: Logger, open: () => Promise<unknown>) {
    this.#retention = retention;
    this.#trash = trash;
    this.#logger = logger;
    this.#open = open;
  }

  /** Does not keep the process alive. */
  start(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    // The call that started this reports a storage that does not open.
    this.#purging = this.#open().then(
      () => this.#purge(),
      () => undefined,
    );
    this.#next(FIRST_MILLIS);
  }

  /** Does everything once, without pauses. */
  async runNow(): Promise<Maintenance> {
    const trashEntries = await this.#trash.purgeExpired();
    return { trashEntries, retention: await this.#retention.run(1) };
  }

  #next(millis: number): void {
    this.#timer = setTimeout(() => void this.#run(), millis);
    // Outside Node it is a number.
    if (typeof this.#timer === "object") this.#timer.unref();
  }

  /** Never rejects. */
  async #purge(): Promise<void> {
    try {
      await this.#trash.purgeExpired();
    } catch (cause) {
      if (!this.#isClosed) this.#logger.error(new Error("old entries of the trash stay for now", { cause }));
    }
  }

  async #run(): Promise<void> {
    this.#purging = this.#purge();
    await this.#purging;
    try {
      await this.#retention.run(SHARE);
    } catch (thrown) {
      if (!this.#isClosed)
        this.#logger.error(new Error("retention failed; it is tried again in an hour", { cause: thrown }));
    }
    if (!this.#isClosed) this.#next(EVERY_MILLIS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all([this.#purging, this.#retention.close()]);
  }
}
