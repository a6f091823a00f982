import { NoConnection } from "./failures.js";
import type { PostgresPool } from "./pool.js";

/** Default of node-postgres. */
const DEFAULT_POOL_SIZE = 10;

/**
 * Limits the connections of a pool that long reads occupy, to half of them. So a slow consumer of a long read can still
 * make other calls.
 */
export class LongReadSlots {
  #free: number;
  readonly #waiting: Set<() => void> = new Set();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves to a function that releases the slot. @throws NoConnection if none is free before the deadline */
  take(deadline: number): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const grant = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(grant);
        this.#free--;
        resolve(() => this.#release());
      };
      const expire = (): void => {
        this.#waiting.delete(grant);
        reject(new NoConnection("too many long reads are in progress"));
      };
      const timer = setTimeout(expire, Math.max(0, deadline - Date.now()));
      if (this.#free > 0) grant();
      else this.#waiting.add(grant);
    });
  }

  #release(): void {
    this.#free++;
    const [next] = this.#waiting;
    next?.();
  }
}

const slotsOfPools = new WeakMap<PostgresPool, LongReadSlots>();

/** The slots of a pool, shared by all its storages. */
export function slotsOf(pool: PostgresPool): LongReadSlots {
  const known = slotsOfPools.get(pool);
  if (known !== undefined) return known;
  const slots = new LongReadSlots(Math.max(1, Math.floor((pool.options?.max ?? DEFAULT_POOL_SIZE) / 2)));
  slotsOfPools.set(pool, slots);
  return slots;
}
