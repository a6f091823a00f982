import { AbandonedError, ActivityError } from "../errors.js";
import type { QueryLoad } from "./load.js";

/**
 * Work of one request over many events, other than a query. It has the same time limit and shares the queries' slots.
 */
export class Work {
  readonly #load: QueryLoad;
  readonly #timeMillis: number;
  readonly #isGone: () => boolean;
  /** Deadline, extended by the time that the reader spends on each item. */
  #end: number;

  /** @param isGone whether the client has disconnected */
  constructor(load: QueryLoad, timeMillis: number, isGone: () => boolean) {
    this.#load = load;
    this.#timeMillis = timeMillis;
    this.#isGone = isGone;
    this.#end = performance.now() + timeMillis;
  }

  /** Checks the clock. Bound. @throws ActivityError `QUERY_TOO_LARGE` when the time is up, AbandonedError */
  readonly check = (): void => {
    if (this.#isGone()) throw new AbandonedError();
    if (performance.now() <= this.#end) return;
    const limit = `${this.#timeMillis} ms (queryLimits.timeMillis)`;
    throw new ActivityError("QUERY_TOO_LARGE", `it took longer than ${limit}; narrow the range or the filter`);
  };

  /**
   * Produces items while it has a slot. Other work gets its turn after each item, and while the reader handles one.
   *
   * @throws ActivityError `QUERY_TOO_LARGE`, `BUSY`, AbandonedError
   */
  async *inTurns<Item>(items: AsyncGenerator<Item, void, undefined>): AsyncGenerator<Item, void, undefined> {
    try {
      for (;;) {
        const share = await this.#load.begin(this.#isGone);
        let step: IteratorResult<Item, void>;
        try {
          this.check();
          step = await items.next();
        } finally {
          share.end();
        }
        if (step.done === true) return;
        const handedOn = performance.now();
        yield step.value;
        this.#end += performance.now() - handedOn;
      }
    } finally {
      await items.return();
    }
  }
}
