import { AbandonedError, busy } from "../errors.js";
import { Admission, type Release } from "../util/admission.js";
import { DEFAULT_LIMITS } from "./budget.js";
import { Work } from "./work.js";

/** Queries that run at a time, and queries that may wait for a slot. */
const SLOTS = 8;
const MAX_WAITING = 64;
/** Queries that may wait for more memory. Each of them retains little while it waits. */
const MAX_WAITING_LARGE = 16;
/** Estimated memory that each query may use, in bytes. Only one query at a time may use more. */
const SMALL_BYTES = 8 * 1024 * 1024;
const WAIT_MILLIS = 30_000;

const TOO_MANY = "too many queries are running";
const TOO_LARGE = "other large queries are running";

/** Limits that all queries of an engine share. */
export class QueryLoad {
  readonly #slots: Admission = new Admission({
    capacity: SLOTS,
    waitMillis: WAIT_MILLIS,
    mostWaiting: MAX_WAITING,
  });
  readonly #large: Admission = new Admission({
    capacity: 1,
    waitMillis: WAIT_MILLIS,
    mostWaiting: MAX_WAITING_LARGE,
  });

  readonly #kept: Kept = { bytes: 0 };
  readonly #timeMillis: number;

  /** @param timeMillis time limit of work other than queries */
  constructor(timeMillis: number = DEFAULT_LIMITS.timeMillis) {
    this.#timeMillis = timeMillis;
  }

  /** Starts work other than a query. @param isGone whether the client has disconnected */
  work(isGone: () => boolean = () => false): Work {
    return new Work(this, this.#timeMillis, isGone);
  }

  /**
   * Starts a query as soon as there is a slot.
   *
   * @param isGone whether the client has disconnected
   * @throws ActivityError `BUSY`, AbandonedError
   */
  async begin(isGone: () => boolean = () => false): Promise<QueryShare> {
    const release = await waitForSlot(this.#slots, TOO_MANY, isGone);
    return new QueryShare(release, { large: this.#large, kept: this.#kept, isGone });
  }
}

/** Estimated memory that all queries retain, in bytes. */
interface Kept {
  bytes: number;
}

interface ShareOptions {
  readonly large: Admission;
  readonly kept: Kept;
  readonly isGone: () => boolean;
}

/** One query's share of the limits. */
export class QueryShare {
  #release: Release;
  readonly #options: ShareOptions;
  #isLarge = false;
  #keptBytes = 0;

  constructor(release: Release, options: ShareOptions) {
    this.#release = release;
    this.#options = options;
  }

  /** Estimated bytes that the other queries retain. */
  get othersBytes(): number {
    return this.#options.kept.bytes - this.#keptBytes;
  }

  /** Records how many bytes the query retains. @param bytes including event data */
  setRetained(bytes: number): void {
    this.#options.kept.bytes += bytes - this.#keptBytes;
    this.#keptBytes = bytes;
  }

  /**
   * Requests memory. A large query releases its slot while it waits.
   *
   * @param bytes in total
   * @returns resolves when the query may continue; `undefined` = now
   * @throws ActivityError `BUSY`, AbandonedError
   */
  room(bytes: number): Promise<void> | undefined {
    return bytes <= SMALL_BYTES || this.#isLarge ? undefined : this.#grow();
  }

  async #grow(): Promise<void> {
    const { large, isGone } = this.#options;
    this.#isLarge = true;
    this.#release();
    this.#release = await waitForSlot(large, TOO_LARGE, isGone);
  }

  /** Releases the memory and the slot. */
  end(): void {
    this.setRetained(0);
    this.#release();
  }
}

async function waitForSlot(line: Admission, otherwise: string, isGone: () => boolean): Promise<Release> {
  const release = await line.enter(1, isGone);
  if (release !== undefined) return release;
  throw isGone() ? new AbandonedError() : busy(otherwise);
}
