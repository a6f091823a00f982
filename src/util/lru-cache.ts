import type { CacheMemory, CacheShare } from "./memory-budget.js";
import { unrefTimer } from "./unref-timer.js";

interface Entry<V> {
  readonly value: V;
  readonly weight: number;
}

/** After this time without use, a cache drops all entries: an unused server should be small. */
const QUIET_MILLIS = 15_000;
/** Keys of ignored entries that are remembered, if there are fewer entries. */
const MIN_IGNORED = 64;

/** Options of a cache. */
export interface LruOptions {
  /** Counts the entries, whose weights are bytes. @default counted nowhere */
  readonly memory?: CacheMemory | undefined;
  /** Name in the statistics of the memory. */
  readonly name?: string;
  /** Time without use after which all entries are dropped; up to twice as long. @default 15 seconds */
  readonly quietMillis?: number;
  /**
   * Whether a full cache ignores an entry until it is put a second time, soon after the first. Reads all over the data
   * then displace nothing, and leave only short-lived garbage.
   */
  readonly admitsReusedOnly?: boolean;
}

/** The most recently used entries, up to a total weight; the least recently used one goes first. */
export class LruCache<K, V> {
  readonly #share: CacheShare | undefined;
  /** In the unit of the weights: entries, bytes. */
  readonly limit: number;
  readonly #quietMillis: number;
  readonly #admitsReusedOnly: boolean;
  /** Keys of entries that were ignored because the cache was full, oldest first. */
  #ignored: Set<K> | undefined;
  /** In order of use; created with the first entry: most caches of an idle server stay empty. */
  #entries: Map<K, Entry<V>> | undefined;
  #weight = 0;
  #isUsed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param limit in the unit of the weights; less if the memory is smaller */
  constructor(limit: number, options: LruOptions = {}) {
    const { memory, name = "other", quietMillis = QUIET_MILLIS, admitsReusedOnly = false } = options;
    this.#share = memory?.share(name, () => this.#evictOldest(), limit);
    this.limit = this.#share?.limitBytes ?? limit;
    this.#quietMillis = quietMillis;
    this.#admitsReusedOnly = admitsReusedOnly;
  }

  /** The total weight of all entries. */
  get weight(): number {
    return this.#weight;
  }

  get(key: K): V | undefined {
    const entries = this.#entries;
    const entry = entries?.get(key);
    this.#share?.count(entry !== undefined);
    if (entries === undefined || entry === undefined) return undefined;
    this.#isUsed = true;
    entries.delete(key);
    entries.set(key, entry);
    return entry.value;
  }

  /** Ignores entries heavier than a quarter of the limit: they would only displace entries that are used more often. */
  put(key: K, value: V, weight = 1): void {
    this.delete(key);
    if (weight > this.limit / 4) return;
    if (this.#admitsReusedOnly && !this.#hasRoom(weight) && !this.#ignored?.delete(key)) {
      this.#ignore(key);
      return;
    }
    this.#isUsed = true;
    this.#entries ??= new Map();
    this.#entries.set(key, { value, weight });
    this.#add(weight);
    while (this.#weight > this.limit) this.#evictOldest();
    this.#timer ??= this.#watch();
  }

  delete(key: K): void {
    const entry = this.#entries?.get(key);
    if (entry === undefined) return;
    this.#entries?.delete(key);
    this.#add(-entry.weight);
  }

  clear(): void {
    this.#entries = undefined;
    this.#ignored = undefined;
    this.#add(-this.#weight);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #hasRoom(weight: number): boolean {
    return this.#weight + weight <= this.limit && weight <= (this.#share?.freeBytes ?? weight);
  }

  #ignore(key: K): void {
    this.#ignored ??= new Set();
    this.#ignored.add(key);
    const most = Math.max(MIN_IGNORED, this.#entries?.size ?? 0);
    for (const oldest of this.#ignored) {
      if (this.#ignored.size <= most) break;
      this.#ignored.delete(oldest);
    }
  }

  /** @returns whether there was an entry */
  #evictOldest(): boolean {
    const oldest = this.#entries?.keys().next();
    if (oldest === undefined || oldest.done) return false;
    this.delete(oldest.value);
    this.#share?.countEviction();
    return true;
  }

  #add(weight: number): void {
    this.#weight += weight;
    this.#share?.add(weight);
  }

  #watch(): ReturnType<typeof setTimeout> {
    this.#isUsed = false;
    return unrefTimer(this.#quietMillis, () => {
      if (this.#isUsed) this.#timer = this.#watch();
      else this.clear();
    });
  }
}
