const MEBIBYTE = 1024 * 1024;

/** Memory for the caches of a server, in bytes, if it sets no other limit. */
export const DEFAULT_MEMORY_BUDGET_BYTES: number = 128 * MEBIBYTE;

/** Memory that the caches of a server share. */
export interface CacheMemory {
  /** Maximum bytes of all caches. */
  readonly limitBytes: number;
  /**
   * Adds a cache. It may use memory that the other caches leave free.
   *
   * @param name identifies the cache in statistics; caches with the same name are summed up
   * @param evict drops the oldest entries and reports it with `add`; called when the memory is exhausted. Returns
   *   whether there were any
   * @param limitBytes maximum bytes of this cache @default all memory
   */
  share(name: string, evict: () => boolean, limitBytes?: number): CacheShare;
}

/** A cache's part of the memory. */
export interface CacheShare {
  /** Maximum number of bytes of this cache. The cache itself must stay below it. */
  readonly limitBytes: number;
  /** Bytes that no cache uses. */
  readonly freeBytes: number;
  /** Counts bytes that the cache has taken, or has freed if negative. May call `evict` of any cache. */
  add(bytes: number): void;
  /** Counts a lookup. */
  count(isHit: boolean): void;
  /** Counts an entry that was dropped for lack of memory. */
  countEviction(): void;
}

/** Use of a cache. */
export interface CacheStatistics {
  readonly name: string;
  readonly bytes: number;
  readonly limitBytes: number;
  readonly hits: number;
  readonly misses: number;
  readonly evictions: number;
}

/** Use of all caches. */
export interface MemoryStatistics {
  readonly limitBytes: number;
  readonly usedBytes: number;
  readonly caches: readonly CacheStatistics[];
}

/**
 * One limit for several caches. A cache can use all memory that the others leave free, up to its own limit. When the
 * memory is exhausted, the largest cache evicts its oldest entries, so that a small cache loses nothing to a large one.
 */
export class MemoryBudget implements CacheMemory {
  readonly limitBytes: number;
  readonly #shares: Share[] = [];
  #usedBytes = 0;

  /** @param limitBytes maximum bytes of all caches */
  constructor(limitBytes: number = DEFAULT_MEMORY_BUDGET_BYTES) {
    this.limitBytes = limitBytes;
  }

  share(name: string, evict: () => boolean, limitBytes: number = this.limitBytes): CacheShare {
    const limit = Math.min(limitBytes, this.limitBytes);
    const share = new Share({ name, evict, limitBytes: limit, budget: this });
    this.#shares.push(share);
    return share;
  }

  /** The use of all caches, in the order in which they were added. */
  statistics(): MemoryStatistics {
    const byName = new Map<string, CacheStatistics>();
    for (const { name, limitBytes, bytes, hits, misses, evictions } of this.#shares) {
      const before = byName.get(name);
      byName.set(name, {
        name,
        bytes: bytes + (before?.bytes ?? 0),
        limitBytes: Math.min(limitBytes + (before?.limitBytes ?? 0), this.limitBytes),
        hits: hits + (before?.hits ?? 0),
        misses: misses + (before?.misses ?? 0),
        evictions: evictions + (before?.evictions ?? 0),
      });
    }
    return { limitBytes: this.limitBytes, usedBytes: this.#usedBytes, caches: [...byName.values()] };
  }

  /** Bytes that no cache uses. */
  get freeBytes(): number {
    return this.limitBytes - this.#usedBytes;
  }

  /** Counts bytes of a share. */
  onAdded(bytes: number): void {
    this.#usedBytes += bytes;
    if (bytes <= 0) return;
    while (this.#usedBytes > this.limitBytes) {
      const largest = this.#shares.reduce((most, share) => (share.bytes > most.bytes ? share : most));
      // A cache that cannot evict must not block the server.
      if (!largest.evict()) return;
    }
  }
}

interface ShareOptions {
  readonly name: string;
  readonly evict: () => boolean;
  readonly limitBytes: number;
  readonly budget: MemoryBudget;
}

class Share implements CacheShare {
  readonly name: string;
  readonly evict: () => boolean;
  readonly limitBytes: number;
  bytes = 0;
  hits = 0;
  misses = 0;
  evictions = 0;
  readonly #budget: MemoryBudget;

  constructor({ name, evict, limitBytes, budget }: ShareOptions) {
    this.name = name;
    this.evict = evict;
    this.limitBytes = limitBytes;
    this.#budget = budget;
  }

  get freeBytes(): number {
    return this.#budget.freeBytes;
  }

  add(bytes: number): void {
    this.bytes += bytes;
    this.#budget.onAdded(bytes);
  }

  count(isHit: boolean): void {
    if (isHit) this.hits++;
    else this.misses++;
  }

  countEviction(): void {
    this.evictions++;
  }
}
