import type { Budget } from "./regex.js";

/** Default number of steps between two budget calls. */
const REPORT_STEPS = 4096;

/** Counts the steps of one search up to its next pause, and reports them in portions. */
export class Meter {
  readonly #budget: Budget;
  readonly #interval: number;
  #steps = 0;
  /** Whether the search should pause as soon as possible. */
  isSliceOver = false;

  /** @param interval steps between two reports */
  constructor(budget: Budget, interval: number = REPORT_STEPS) {
    this.#budget = budget;
    this.#interval = interval;
  }

  /** Throws when the budget throws. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps < this.#interval) return;
    this.report();
    this.isSliceOver = this.#budget.isSliceOver?.() ?? false;
  }

  /** Reports the remaining steps. Throws when the budget throws. */
  report(): void {
    const portion = this.#steps;
    this.#steps = 0;
    this.#budget.spend(portion);
  }
}
