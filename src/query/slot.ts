import type { QueryBudget } from "./budget.js";

/** Milliseconds of regular-expression work after which a pause is due. */
const MATCHING_SLICE_MILLIS = 2;
/** Regular-expression steps, of at most 50 ns each, between two clock checks. */
const STEPS_PER_CHECK = 50_000;

/**
 * Attributes work to the current query: queries take turns, in slices that nothing interrupts. Regular expressions are
 * compiled for all queries and report their steps here.
 */
export class BudgetSlot {
  #budget: QueryBudget | undefined;
  #began = 0;
  #steps = 0;
  #isOver = false;

  /** Whether the slice should end as soon as possible. Bound, so that it can be passed as a callback. */
  readonly isSliceOver = (): boolean => this.#isOver;

  /** Starts a slice of a query. */
  startSlice(budget: QueryBudget): void {
    this.#budget = budget;
    this.#began = performance.now();
    this.#steps = 0;
    this.#isOver = false;
  }

  /** Counts matching steps. @throws ActivityError `QUERY_TOO_LARGE` when the query's time is up */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps < STEPS_PER_CHECK) return;
    this.#steps = 0;
    this.#budget?.check();
    this.#isOver = performance.now() - this.#began > MATCHING_SLICE_MILLIS;
  }
}
