import { AbandonedError, busy } from "../errors.js";
import { Admission, type AdmissionLimits, type Release } from "../util/admission.js";
import { watchClient } from "./client-watch.js";
import type { RequestContext } from "./request-context.js";

/** A queue in which requests wait until there is room for them. */
export class RequestQueue {
  readonly #admission: Admission;
  readonly #tooMuch: string;

  /** @param tooMuch names the overload for requests that find no room in time */
  constructor(limits: AdmissionLimits, tooMuch: string) {
    this.#admission = new Admission(limits);
    this.#tooMuch = tooMuch;
  }

  /**
   * Runs work when there is room for it. A request that leaves the queue delays no other.
   *
   * @param weight in the unit of the limits
   * @throws ActivityError `BUSY` if there is no room in time, AbandonedError
   */
  async during<Result>(request: Waiter, weight: number, work: () => Promise<Result>): Promise<Result> {
    const release = await this.enter(request, weight);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Waits for room, which the caller must release. @throws as `during` does */
  async enter(request: Waiter, weight: number): Promise<Release> {
    const { isGone, end } = watchClient(request);
    const release = await this.#admission.enter(weight, isGone);
    end();
    if (release === undefined) throw isGone() ? new AbandonedError() : busy(this.#tooMuch);
    return release;
  }
}

type Waiter = Pick<RequestContext, "onGone">;
