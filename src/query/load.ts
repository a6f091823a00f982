import { AbandonedError, busy } from "../errors.js";
import { Admission, type Release } from "../util/admission.js";
import { DEFAULT_LIMITS } from "./budget.js";
import { Work } from "./work.js";

/** Queries that run at a time, and how many wait for that. */
const SLOTS = 8;
const MOST_WAITING = 64;
/** Queries that wait until they may take more memory; each holds little meanwhile. */
const MOST_WAITING_LARGE = 16;
/** Memory that each of them may take, in bytes, as it is estimated; beyond it one at a time has all that is left. */
const SMALL_BYTES = 8 * 1024 * 1024;
const WAIT_MILLIS = 30_000;

const TOO_MANY = "too many queries are running";
const TOO_LARGE = "other large queries are running";

/** What all queries of an engine may use up together. */
export class QueryLoad {
  readonly #slots: Admission = new Admission({
    capacity: SLOTS,
    waitMillis: WAIT_MILLIS,
    mostWaiting: MOST_WAITING,
  });
  readonly #large: Admission = new Admission({
    capacity: 1,
    waitMillis: WAIT_MILLIS,
    mostWaiting: MOST_WAITING_LARGE,
  });

  readonly #kept: Kept = { bytes: 0 };
  readonly #timeMillis: number;

  /** @param timeMillis what other work than queries may take */
  constructor(timeMillis: number = DEFAULT_LIMITS.timeMillis) {
    this.#timeMillis = timeMillis;
  }

  /** Starts work that is no query. @param isGone whether nobody waits for the answer any more */
  work(isGone: () => boolean = () => false): Work {
    return new Work(this, this.#timeMillis, isGone);
  }

  /**
   * Begins a query, when there is room for it.
   *
   * @param isGone whether nobody waits for the answer any more
   * @throws ActivityError `BUSY`, AbandonedError
   */
  async begin(isGone: () => boolean = () => false): Promise<QueryShare> {
    const release = await admitted(this.#slots, TOO_MANY, isGone);
    return new QueryShare(release, { large: this.#large, kept: this.#kept, isGone });
  }
}

/** Memory that all queries keep, in bytes, as it is estimated. */
interface Kept {
  bytes: number;
}

/** What a share is made with. */
interface ShareOptions {
  readonly large: Admission;
  readonly kept: Kept;
  readonly isGone: () => boolean;
}

/** The part of one query. */
export class QueryShare {
  #release: Release;
  readonly #options: ShareOptions;
  #isLarge = false;
  #keptBytes = 0;

  constructor(release: Release, options: ShareOptions) {
    this.#release = release;
    this.#options = options;
  }

  /** Memory that the other queries keep. */
  get othersBytes(): number {
    return this.#options.kept.bytes - this.#keptBytes;
  }

  /** Notes how much memory the query keeps. @param bytes with the data of events */
  keeps(bytes: number): void {
    this.#options.kept.bytes += bytes - this.#keptBytes;
    this.#keptBytes = bytes;
  }

  /**
   * Asks for memory. A query that needs much gives its place to others while it waits for that.
   *
   * @param bytes in all
   * @returns resolves when the query may go on; `undefined` = at once
   * @throws ActivityError `BUSY`, AbandonedError
   */
  room(bytes: number): Promise<void> | undefined {
    return bytes <= SMALL_BYTES || this.#isLarge ? undefined : this.#grow();
  }

  async #grow(): Promise<void> {
    const { large, isGone } = this.#options;
    this.#isLarge = true;
    this.#release();
    this.#release = await admitted(large, TOO_LARGE, isGone);
  }

  /** Nothing of the query is kept any more. */
  end(): void {
    this.keeps(0);
    this.#release();
  }
}

async function admitted(line: Admission, otherwise: string, isGone: () => boolean): Promise<Release> {
  const release = await line.enter(1, isGone);
  if (release !== undefined) return release;
  throw isGone() ? new AbandonedError() : busy(otherwise);
}
