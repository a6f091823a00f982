import type { Budget } from "./regex.js";

/** Steps between two calls of a budget, where nothing else is asked for. */
const REPORT_STEPS = 4096;

/** Counts the steps of one search, up to its next pause, and reports them in portions. */
export class Meter {
  readonly #budget: Budget;
  readonly #interval: number;
  #steps = 0;
  /** Whether the search should pause as soon as it can. */
  isSliceOver = false;

  /** @param interval steps from one report to the next */
  constructor(budget: Budget, interval: number = REPORT_STEPS) {
    this.#budget = budget;
    this.#interval = interval;
  }

  /** Throws when the budget does. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps < this.#interval) return;
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
