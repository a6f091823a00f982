import { EventBatch } from "../domain/batch.js";
import type { Steps } from "../transforms/steps.js";
import { LruCache } from "../util/lru-cache.js";
import { bytesOf } from "./size.js";

/**
 * Memory that kept lists may take, in bytes: what the programs of the dashboard make of a year, each list of which
 * takes about 10 MB.
 */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * What is made of fewer events is made anew, which is cheaper. The limit is low, since what was made of a list is found
 * for that very list alone: were the idle times of a day made anew, so would be all that is made of them.
 */
const FEWEST_EVENTS = 16;

/**
 * Keeps what was made of lists: views of the same period read the same buckets and begin with the same steps. Lists
 * never change, so what was made of one stays right.
 */
export class Memo {
  readonly #made: LruCache<string, EventBatch>;
  readonly #numbers: WeakMap<object, number> = new WeakMap();
  #lastNumber = 0;

  /** @param made keeps the lists, by bytes */
  constructor(made: LruCache<string, EventBatch> = new LruCache(MOST_BYTES)) {
    this.#made = made;
  }

  /**
   * Gives what a function made of the same arguments before, or makes it.
   *
   * @param name the function, with all arguments that are not in `given`; `undefined` = not to be kept
   * @param given lists, and what else is known by its identity
   * @param steps not begun where the outcome is known
   */
  *once(name: string | undefined, given: readonly object[], steps: Steps<EventBatch>): Steps<EventBatch> {
    const isWorthIt = given.some((one) => one instanceof EventBatch && one.length >= FEWEST_EVENTS);
    if (name === undefined || !isWorthIt) return yield* steps;
    const key = `${given.map((one) => this.#numberOf(one)).join(" ")} ${name}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = yield* steps;
    this.#made.put(key, made, key.length * 2 + bytesOf({ nodes: 1, events: made.length }));
    return made;
  }

  #numberOf(one: object): number {
    let number = this.#numbers.get(one);
    if (number === undefined) {
      number = ++this.#lastNumber;
      this.#numbers.set(one, number);
    }
    return number;
  }
}
