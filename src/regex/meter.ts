import type { Budget } from "./regex.js";

/** Steps between two calls of a budget, where nothing else is asked for. */
const PACE = 4096;

/** Counts the steps of one search, up to its next pause, and reports them in portions. */
export class Meter {
  readonly #budget: Budget;
  readonly #pace: number;
  #steps = 0;
  /** Whether the search should pause as soon as it can. */
  isSliceOver = false;

  /** @param pace steps from one report to the next */
  constructor(budget: Budget, pace: number = PACE) {
    this.#budget = budget;
    this.#pace = pace;
  }

  /** Throws when the budget does. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps < this.#pace) return;
    this.report();
    this.isSliceOver = this.#budget.isSliceOver?.() ?? false;
  }

  /** Reports what is left over. Throws when the budget does. */
  report(): void {
    const portion = this.#steps;
    this.#steps = 0;
    this.#budget.spend(portion);
  }
}
