interface Entry<V> {
  readonly value: V;
  readonly weight: number;
}

/** After so many milliseconds without any use all is let go: a server that nobody asks should be small. */
const QUIET_MILLIS = 15_000;

/** What was used last, up to a total weight; the one used longest ago goes first. */
export class LruCache<K, V> {
  readonly #limit: number;
  readonly #quietMillis: number;
  /** In the order of their use; made when there is something: most caches of an idle server never get anything. */
  #entries: Map<K, Entry<V>> | undefined;
  #weight = 0;
  #isUsed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param limit in whatever the weights are: entries, bytes
   * @param quietMillis after how many milliseconds without use everything is let go, twice as many at the latest
   */
  constructor(limit: number, quietMillis: number = QUIET_MILLIS) {
    this.#limit = limit;
    this.#quietMillis = quietMillis;
  }

  /** Of all that is kept. */
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

  /** What is heavier than a quarter of the limit is not kept: it would only push out what is used more often. */
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
    // Outside Node a timer is a number. Inside, nothing waits for it: a process that is done may end.
    if (typeof timer === "object") timer.unref?.();
    return timer;
  }
}
