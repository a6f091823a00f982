import { BodyWatch } from "./body-watch.js";
import type { RequestContext } from "./request-context.js";

/** How long and how often the pace of a body is measured while others wait, in milliseconds. */
const WINDOW_MILLIS = 5_000;
const LOOKS = 5;

/** Makes slow bodies give up their room while others wait. */
export class BodyPace {
  readonly #windowMillis: number;
  /** Bodies that have room. */
  readonly #watches: Set<BodyWatch> = new Set();
  #waiting = 0;
  #judging: ReturnType<typeof setInterval> | undefined;

  constructor(windowMillis: number = WINDOW_MILLIS) {
    this.#windowMillis = windowMillis;
  }

  /**
   * Runs work that waits for room and then reads a body.
   *
   * @param work calls `request.bodyAdmitted` once it has room
   */
  async during<Result>(request: RequestContext, work: (admitted: () => void) => Promise<Result>): Promise<Result> {
    let watch: BodyWatch | undefined;
    let isWaiting = true;
    const stopWaiting = (): void => {
      if (isWaiting) this.#count(-1);
      isWaiting = false;
    };
    this.#count(1);
    try {
      request.bodyAdmitted = (): void => {
        stopWaiting();
        watch = new BodyWatch();
        this.#watches.add(watch);
        request.bodyWatch = watch;
      };
      return await work(request.bodyAdmitted);
    } finally {
      stopWaiting();
      if (watch !== undefined) this.#watches.delete(watch);
    }
  }

  #count(change: number): void {
    this.#waiting += change;
    if (this.#waiting === 0) {
      clearInterval(this.#judging);
      this.#judging = undefined;
    } else if (this.#judging === undefined) {
      const judge = (): void => {
        for (const watch of this.#watches) watch.judge(this.#windowMillis);
      };
      this.#judging = setInterval(judge, this.#windowMillis / LOOKS);
    }
  }
}
