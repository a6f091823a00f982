import { EventBatch } from "../domain/batch.js";
import type { Steps } from "../transforms/steps.js";
import { LruCache } from "../util/lru-cache.js";
import type { CacheMemory } from "../util/memory-budget.js";
import { bytesOf } from "./size.js";

/** Memory for cached lists, in bytes. The dashboard's programs over a year make several lists of about 10 MB. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Results of fewer events are not cached, since repeating the work is cheaper. The limit is low because results are
 * found by list identity: repeating one small step would also repeat all steps that follow it.
 */
const MIN_EVENTS = 16;

/**
 * Caches results of transforms. Views of the same period read the same buckets and start with the same steps. Lists are
 * immutable, so that a cached result never becomes outdated.
 */
export class Memo {
  readonly #made: LruCache<string, EventBatch>;
  readonly #numbers: WeakMap<object, number> = new WeakMap();
  #lastNumber = 0;

  constructor(memory?: CacheMemory) {
    this.#made = new LruCache(MAX_BYTES, { memory, name: "intermediate lists" });
  }

  /**
   * Returns the cached result of a function for the same arguments, or computes it.
   *
   * @param name the function and all arguments that are not in `given`; `undefined` = do not cache
   * @param given arguments compared by identity, such as lists
   * @param steps not started if the result is cached
   */
  *compute(name: string | undefined, given: readonly object[], steps: Steps<EventBatch>): Steps<EventBatch> {
    const isWorthIt = given.some((one) => one instanceof EventBatch && one.length >= MIN_EVENTS);
    if (name === undefined || !isWorthIt) return yield* steps;
    const key = `${given.map((one) => this.#identify(one)).join(" ")} ${name}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = yield* steps;
    this.#made.put(key, made, key.length * 2 + bytesOf({ nodes: 1, events: made.length }));
    return made;
  }

  #identify(one: object): number {
    let number = this.#numbers.get(one);
    if (number === undefined) {
      number = ++this.#lastNumber;
      this.#numbers.set(one, number);
    }
    return number;
  }
}
