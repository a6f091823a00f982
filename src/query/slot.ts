import type { QueryBudget } from "./budget.js";

/** After how many milliseconds of regular expressions a pause is due. */
const MATCHING_SLICE_MILLIS = 2;
/** Steps of regular expressions, of at most 50 nanoseconds, between two looks at the clock. */
const STEPS_PER_LOOK = 50_000;

/**
 * Whose work is being done at the moment: queries take turns, in slices that nothing interrupts. Regular expressions
 * are compiled for all queries, and report here what they do.
 */
export class BudgetSlot {
  #budget: QueryBudget | undefined;
  #began = 0;
  #steps = 0;
  #isOver = false;

  /** Whether the slice should end as soon as it can. Bound, so that the slot itself tells what matching costs. */
  readonly isSliceOver = (): boolean => this.#isOver;

  /** A slice of a query begins. */
  begin(budget: QueryBudget): void {
    this.#budget = budget;
    this.#began = performance.now();
    this.#steps = 0;
    this.#isOver = false;
  }

  /** Counts steps of matching. @throws ActivityError `QUERY_TOO_LARGE` when the query is over */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps < STEPS_PER_LOOK) return;
    this.#steps = 0;
    this.#budget?.check();
    this.#isOver = performance.now() - this.#began > MATCHING_SLICE_MILLIS;
  }
}
