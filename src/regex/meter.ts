import type { Budget } from "./regex.js";

/** Steps between two calls of a budget. */
const PACE = 4096;

/** Counts the steps of one search and reports them in portions. */
export class Meter {
  readonly #budget: Budget;
  #steps = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Throws when the budget does. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps < PACE) return;
    const portion = this.#steps;
    this.#steps = 0;
    this.#budget.spend(portion);
  }
}
