interface Entry<V> {
  readonly value: V;
  readonly weight: number;
}

/** After this time without use, a cache drops all entries: an unused server should be small. */
const QUIET_MILLIS = 15_000;

/** The most recently used entries, up to a total weight; the least recently used one goes first. */
export class LruCache<K, V> {
  readonly #limit: number;
  readonly #quietMillis: number;
  /** In order of use; created with the first entry: most caches of an idle server stay empty. */
  #entries: Map<K, Entry<V>> | undefined;
  #weight = 0;
  #isUsed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param limit in the unit of the weights: entries, bytes
   * @param quietMillis time without use after which all entries are dropped; up to twice as long
   */
  constructor(limit: number, quietMillis: number = QUIET_MILLIS) {
    this.#limit = limit;
    this.#quietMillis = quietMillis;
  }

  /** The total weight of all entries. */
  get weight(): number {
    return this.#weight;
  }

  get(key: K): V | undefined {
    const entries = this.#entries;
    const entry = entries?.get(key);
    if (entries === undefined || entry === undefined) return undefined;
    this.#isUsed = true;
    entries.delete(key);
    entries.set(key, entry);
    return entry.value;
  }

  /** Ignores entries heavier than a quarter of the limit: they would only displace entries that are used more often. */
  put(key: K, value: V, weight = 1): void {
    this.delete(key);
    if (weight > this.#limit / 4) return;
    this.#isUsed = true;
    this.#entries ??= new Map();
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#limit) break;
      this.delete(oldest);
    }
    this.#timer ??= this.#watch();
  }

  delete(key: K): void {
    this.#weight -= this.#entries?.get(key)?.weight ?? 0;
    this.#entries?.delete(key);
  }

  clear(): void {
    this.#entries = undefined;
    this.#weight = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #watch(): ReturnType<typeof setTimeout> {
    this.#isUsed = false;
    const timer = setTimeout(() => {
      if (this.#isUsed) this.#timer = this.#watch();
      else this.clear();
    }, this.#quietMillis);
    // Outside Node a timer is a number. In Node it does not keep the process alive.
    if (typeof timer === "object") timer.unref?.();
    return timer;
  }
}
