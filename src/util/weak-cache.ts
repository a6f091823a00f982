/** Maximum number of remembered objects: a larger map takes long to grow and blocks other work. */
const MOST = 32_768;

/** Remembers a value for each recently used object. The value is freed with the object. */
export class WeakCache<Key extends object, Value> {
  #known: WeakMap<Key, Value> = new WeakMap();
  /** Objects used before those; dropped once as many have been added. */
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
