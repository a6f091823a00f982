import type { Logger } from "../../logger.js";
import { unrefTimer } from "../../util/unref-timer.js";
import type { Trash } from "../trash/trash.js";
import type { RetentionRun } from "./log.js";
import type { Retention } from "./retention.js";

/** Leaves the disk to other work after a start. */
const FIRST_MILLIS = 10 * 60_000;
const EVERY_MILLIS = 60 * 60_000;
/** A run takes at most about this share of the time. */
const SHARE = 0.2;

/** The methods of retention that the schedule uses. */
export interface ScheduledRetention extends Pick<Retention, "close"> {
  run(share: number): Promise<RetentionRun>;
}

/** The result of maintenance. */
export interface Maintenance {
  /** Number of expired entries removed from the trash. */
  readonly trashEntries: number;
  /** The result of retention rules. */
  readonly retention: RetentionRun;
}

/** Runs retention every hour, slowly, and deletes expired entries of the trash. */
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

  /** Runs everything once, without pauses. */
  async runNow(): Promise<Maintenance> {
    const trashEntries = await this.#trash.purgeExpired();
    return { trashEntries, retention: await this.#retention.run(1) };
  }

  #next(millis: number): void {
    this.#timer = unrefTimer(millis, () => void this.#run());
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
