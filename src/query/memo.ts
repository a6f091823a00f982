import type { EventBatch } from "../domain/batch.js";
import type { Steps } from "../transforms/steps.js";
import { LruCache } from "../util/lru-cache.js";
import { bytesOf } from "./size.js";

/** Memory that kept lists may take, in bytes. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Only large lists are worth it; that is where a query spends its time. */
const FEWEST_EVENTS = 1_000;

/**
 * Keeps what was made of lists: views of the same period read the same buckets and begin with the same steps. Lists
 * never change, so what was made of one stays right.
 */
export class Memo {
  readonly #made: LruCache<string, EventBatch>;
  readonly #numbers: WeakMap<EventBatch, number> = new WeakMap();
  #lastNumber = 0;

  /** @param made keeps the lists, by bytes */
  constructor(made: LruCache<string, EventBatch> = new LruCache(MOST_BYTES)) {
    this.#made = made;
  }

  /**
   * Gives what was made of a list before, or makes it.
   *
   * @param name what is done, with everything that it depends on
   */
  *once(list: EventBatch, name: string, make: () => Steps<EventBatch>): Steps<EventBatch> {
    if (list.length < FEWEST_EVENTS) return yield* make();
    const key = `${this.#numberOf(list)} ${name}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = yield* make();
    this.#made.put(key, made, key.length * 2 + bytesOf({ nodes: 1, events: made.length }));
    return made;
  }

  /** The same for what is made of two lists. */
  onceWith(list: EventBatch, other: EventBatch, name: string, make: () => Steps<EventBatch>): Steps<EventBatch> {
    return this.once(list, `${name} ${this.#numberOf(other)}`, make);
  }

  #numberOf(list: EventBatch): number {
    let number = this.#numbers.get(list);
    if (number === undefined) {
      number = ++this.#lastNumber;
      this.#numbers.set(list, number);
    }
    return number;
  }
}
