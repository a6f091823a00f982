interface Entry<V> {
  readonly value: V;
  readonly weight: number;
}

/** What was used last, up to a total weight; the one used longest ago goes first. */
export class Recent<V> {
  readonly #limit: number;
  /** In the order of their use. */
  readonly #entries: Map<string, Entry<V>> = new Map();
  #weight = 0;

  /** @param limit in whatever the weights are: entries, bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  put(key: string, value: V, weight = 1): void {
    this.delete(key);
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#limit) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
