import type { Budget } from "../../src/regex/regex.js";

/** Lets every search go on. */
export const ENDLESS: Budget = { spend() {} };

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

export class OverBudget extends Error {}
