import { AbandonedError, busy } from "../errors.js";
import { Admission, type AdmissionLimits } from "../util/admission.js";
import type { RequestContext } from "./request-context.js";
import { watchClient } from "./while-there.js";

/** A queue in which requests wait until there is room for what they ask for. */
export class RequestQueue {
  readonly #admission: Admission;
  readonly #tooMuch: string;

  /** @param tooMuch what there is too much of, for those who find no room in time */
  constructor(limits: AdmissionLimits, tooMuch: string) {
    this.#admission = new Admission(limits);
    this.#tooMuch = tooMuch;
  }

  /**
   * Does something when there is room for it. Who leaves the queue keeps nobody waiting.
   *
   * @param weight in whatever the limits are
   * @throws ActivityError `BUSY` when there is no room in time, AbandonedError
   */
  async during<Result>(
    request: Pick<RequestContext, "onGone">,
    weight: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { isGone, end } = watchClient(request);
    const release = await this.#admission.enter(weight, isGone);
    end();
    if (release === undefined) throw isGone() ? new AbandonedError() : busy(this.#tooMuch);
    try {
      return await work();
    } finally {
      release();
    }
  }
}
