import type { Budget, PausedSearch } from "../../src/regex/regex.js";

/** Lets every search go on. */
export const ENDLESS: Budget = { spend() {} };

/** Wants a pause whenever it is asked. */
export const ALWAYS_TIRED: Budget = { spend() {}, isSliceOver: () => true };

/** Counts steps, and ends a search that needs more than the limit. */
export class CountingBudget implements Budget {
  steps = 0;
  calls = 0;
  largest = 0;
  readonly #limit: number;

  constructor(limit: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  spend(steps: number): void {
    this.steps += steps;
    this.calls++;
    this.largest = Math.max(this.largest, steps);
    if (this.steps > this.#limit) throw new OverBudget();
  }
}

/** Wants a pause after so many steps, and tells the most that were made without one. */
export class PausingBudget implements Budget {
  pauses = 0;
  most = 0;
  #steps = 0;
  readonly #tiring: number;

  constructor(tiring: number) {
    this.#tiring = tiring;
  }

  spend(steps: number): void {
    this.#steps += steps;
    this.most = Math.max(this.most, this.#steps);
  }

  readonly isSliceOver = (): boolean => this.#steps >= this.#tiring;

  /** Takes a search to its end, with all the pauses that it wants. */
  answer(search: boolean | PausedSearch): boolean {
    let answer = typeof search === "boolean" ? search : undefined;
    while (answer === undefined) {
      this.pauses++;
      this.#steps = 0;
      answer = (search as PausedSearch).go();
    }
    return answer;
  }
}

/** Takes a search to its end. */
export function answerOf(search: boolean | PausedSearch): boolean {
  return new PausingBudget(0).answer(search);
}

export class OverBudget extends Error {}
