/** A map that allocates its table with the first entry: an empty `Map` takes 220 bytes of each server. */
export class LazyMap<K, V> {
  #entries: Map<K, V> | undefined;

  get size(): number {
    return this.#entries?.size ?? 0;
  }

  get(key: K): V | undefined {
    return this.#entries?.get(key);
  }

  has(key: K): boolean {
    return this.#entries?.has(key) === true;
  }

  set(key: K, value: V): void {
    this.#entries ??= new Map();
    this.#entries.set(key, value);
  }

  delete(key: K): boolean {
    return this.#entries?.delete(key) === true;
  }

  clear(): void {
    this.#entries = undefined;
  }

  keys(): Iterable<K> {
    return this.#entries?.keys() ?? [];
  }

  values(): Iterable<V> {
    return this.#entries?.values() ?? [];
  }

  [Symbol.iterator](): Iterator<[K, V]> {
    return (this.#entries ?? NO_ENTRIES)[Symbol.iterator]();
  }
}

/** A set that allocates its table with the first member. */
export class LazySet<T> {
  #members: Set<T> | undefined;

  get size(): number {
    return this.#members?.size ?? 0;
  }

  has(member: T): boolean {
    return this.#members?.has(member) === true;
  }

  add(member: T): void {
    this.#members ??= new Set();
    this.#members.add(member);
  }

  delete(member: T): boolean {
    return this.#members?.delete(member) === true;
  }

  clear(): void {
    this.#members = undefined;
  }

  [Symbol.iterator](): Iterator<T> {
    return (this.#members ?? NO_MEMBERS)[Symbol.iterator]();
  }
}

const NO_ENTRIES: readonly never[] = [];
const NO_MEMBERS: readonly never[] = [];
