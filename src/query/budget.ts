import { ActivityError } from "../errors.js";
import type { Size } from "./size.js";

/** What one query may use up. */
export interface QueryLimits {
  /** Milliseconds of wall clock, waiting for others included. */
  readonly timeMillis: number;
  /** Events that all its functions together may produce. */
  readonly events: number;
  /** Bytes of memory, estimated, that the events of its variables may take at a time. */
  readonly memoryBytes: number;
}

/** Generous for what people ask, and the end of what would go on for ever. */
export const DEFAULT_LIMITS: QueryLimits = {
  timeMillis: 60_000,
  events: 50_000_000,
  memoryBytes: 512 * 1024 * 1024,
};

/** Bytes of an event in columns: start, duration, id, and the reference to its data. */
const BYTES_PER_EVENT = 32;

/** Keeps count of what a query uses up, and ends it when that is too much or when nobody waits for it any more. */
export interface QueryBudget {
  /** Looks at the clock. @throws ActivityError `QUERY_TOO_LARGE` when the time is up */
  check(): void;
  /** Counts events that a function has produced. @throws ActivityError `QUERY_TOO_LARGE` */
  produced(events: number): void;
  /** Looks at the size of one value. @throws ActivityError `QUERY_TOO_LARGE` */
  holds(size: Size): void;
  /** Looks at how many events all variables hold. @throws ActivityError `QUERY_TOO_LARGE` */
  keeps(events: number): void;
}

/** Largest value that is not events: people's results have some hundreds of such nodes. */
const MOST_NODES = 1_000_000;

/** How deeply values may nest. A program alone cannot write more, but it can put values into each other. */
const MOST_LEVELS = 200;

/** The error of a query that nobody waits for. */
export function abandoned(): ActivityError {
  return new ActivityError("QUERY_TOO_LARGE", "the client left before the query was answered");
}

/**
 * Starts to count.
 *
 * @param isGone whether nobody waits for the answer any more
 */
export function createBudget(limits: QueryLimits, isGone: () => boolean): QueryBudget {
  const end = performance.now() + limits.timeMillis;
  let events = 0;

  function check(): void {
    if (isGone()) throw abandoned();
    if (performance.now() <= end) return;
    throw tooLarge(`it took longer than ${limits.timeMillis} ms (queryLimits.timeMillis)`);
  }

  return {
    check,
    holds({ nodes, events: held, depth }) {
      if (nodes > MOST_NODES) throw tooLarge(`a value of it has more than ${MOST_NODES} parts`);
      if (depth > MOST_LEVELS) throw tooLarge(`a value of it nests more than ${MOST_LEVELS} levels deep`);
      if (held > limits.events)
        throw tooLarge(`a value of it has more than ${limits.events} events (queryLimits.events)`);
    },
    keeps(kept) {
      if (kept * BYTES_PER_EVENT <= limits.memoryBytes) return;
      throw tooLarge(`its variables need more than ${limits.memoryBytes} bytes (queryLimits.memoryBytes)`);
    },
    produced(count) {
      events += count;
      if (events > limits.events) throw tooLarge(`it produced more than ${limits.events} events (queryLimits.events)`);
    },
  };
}

function tooLarge(reason: string): ActivityError {
  return new ActivityError("QUERY_TOO_LARGE", `the query is too large: ${reason}`);
}

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
