/** So many objects are known at a time: a larger map takes long to grow, and holds everything up. */
const MOST = 32_768;

/** What is remembered of the objects that were asked about lately. It goes with them. */
export class WeakCache<Key extends object, Value> {
  #known: WeakMap<Key, Value> = new WeakMap();
  /** Those that were known before that; they go when as many have been added anew. */
  #before: WeakMap<Key, Value> = new WeakMap();
  #count = 0;

  get(key: Key): Value | undefined {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const before = this.#before.get(key);
    if (before !== undefined) this.set(key, before);
    return before;
  }

  set(key: Key, value: Value): void {
    if (++this.#count > MOST) {
      this.#before = this.#known;
      this.#known = new WeakMap();
      this.#count = 1;
    }
    this.#known.set(key, value);
  }
}
