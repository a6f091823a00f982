import { AbandonedError, ActivityError } from "../errors.js";
import type { QueryLoad } from "./load.js";

/** Work of one request over many events, beside the queries: it has the same time and shares their slots. */
export class Work {
  readonly #load: QueryLoad;
  readonly #timeMillis: number;
  readonly #isGone: () => boolean;
  /** When its time is up; later by what its reader took for what was handed on. */
  #end: number;

  /** @param isGone whether nobody waits for the answer any more */
  constructor(load: QueryLoad, timeMillis: number, isGone: () => boolean) {
    this.#load = load;
    this.#timeMillis = timeMillis;
    this.#isGone = isGone;
    this.#end = performance.now() + timeMillis;
  }

  /** Looks at the clock. Bound. @throws ActivityError `QUERY_TOO_LARGE` when the time is up, AbandonedError */
  readonly check = (): void => {
    if (this.#isGone()) throw new AbandonedError();
    if (performance.now() <= this.#end) return;
    const limit = `${this.#timeMillis} ms (queryLimits.timeMillis)`;
    throw new ActivityError("QUERY_TOO_LARGE", `it took longer than ${limit}; narrow the range or the filter`);
  };

  /**
   * Makes items while it is among the few that work at a time. Others get their turn after each item, and while the
   * reader takes one.
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
