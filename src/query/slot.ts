import { type QueryBudget, tooLarge } from "./budget.js";

/** After how many milliseconds of regular expressions a pause is due. */
const TIRING_MATCHING = 4;
/** How long one regular expression may hold up everything else, in milliseconds. */
const LONGEST_MATCHING = 20;
/** With fewer steps than these it was not it that took the time, but a busy machine. */
const FEWEST_STEPS = 500_000;

/**
 * Whose work is being done at the moment: queries take turns, in slices that nothing interrupts. What cannot pause, as
 * a regular expression cannot, asks here whether it may go on.
 */
export class BudgetSlot {
  #budget: QueryBudget | undefined;
  #began = 0;
  #steps = 0;
  #tired = false;

  /** Whether the slice should end as soon as it can. Bound, so that the slot itself tells what matching costs. */
  readonly isTired = (): boolean => this.#tired;

  /** A slice of a query begins. */
  begin(budget: QueryBudget): void {
    this.#budget = budget;
    this.#began = performance.now();
    this.#steps = 0;
    this.#tired = false;
  }

  /** @throws ActivityError `QUERY_TOO_LARGE` when the query is over, or others have waited for long enough */
  spend(steps: number): void {
    this.#budget?.check();
    this.#steps += steps;
    const taken = performance.now() - this.#began;
    this.#tired = taken > TIRING_MATCHING;
    if (this.#steps > FEWEST_STEPS && taken > LONGEST_MATCHING) {
      throw tooLarge(`a regular expression of it took longer than ${LONGEST_MATCHING} ms; a simpler one needs less`);
    }
  }
}
