/** Milliseconds between two answers to wrong credentials. */
const PACE_MILLIS = 100;

/**
 * Slows down answers to wrong credentials, whoever sends them: one at a time goes out, however many connections there
 * are. Right ones never come here, so nobody else waits.
 */
export class RefusalPace {
  readonly #wait: (millis: number) => Promise<void>;
  #last: Promise<void> = Promise.resolve();

  /** @param wait resolves after so many milliseconds */
  constructor(wait: (millis: number) => Promise<void> = delay) {
    this.#wait = wait;
  }

  /** Resolves when it is this answer's turn. */
  turn(): Promise<void> {
    this.#last = this.#last.then(() => this.#wait(PACE_MILLIS));
    return this.#last;
  }
}

function delay(millis: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, millis));
}
