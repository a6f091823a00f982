import { NoConnection } from "./failures.js";
import type { PostgresPool } from "./pool.js";

/** What node-postgres takes where nothing else is said. */
const DEFAULT_POOL_SIZE = 10;

/**
 * How many connections of a pool may be held for longer than one statement: half of them. So whoever takes a long read
 * slowly, and calls something else meanwhile, finds a connection.
 */
export class Slots {
  #free: number;
  readonly #waiting: Set<() => void> = new Set();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves a function that gives the slot back. @throws NoConnection when none is free before the deadline */
  take(deadline: number): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const grant = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(grant);
        this.#free--;
        resolve(() => this.#giveBack());
      };
      const giveUp = (): void => {
        this.#waiting.delete(grant);
        reject(new NoConnection("too many long reads are under way"));
      };
      const timer = setTimeout(giveUp, Math.max(0, deadline - Date.now()));
      if (this.#free > 0) grant();
      else this.#waiting.add(grant);
    });
  }

  #giveBack(): void {
    this.#free++;
    const [next] = this.#waiting;
    next?.();
  }
}

const slotsOfPools = new WeakMap<PostgresPool, Slots>();

/** Those of a pool, shared by all storages on it. */
export function slotsOf(pool: PostgresPool): Slots {
  const known = slotsOfPools.get(pool);
  if (known !== undefined) return known;
  const slots = new Slots(Math.max(1, Math.floor((pool.options?.max ?? DEFAULT_POOL_SIZE) / 2)));
  slotsOfPools.set(pool, slots);
  return slots;
}
