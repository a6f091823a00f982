// Loads requested tiles, and caches them up to a size.
import type { TimeWindow } from "./scale.js";
import { adjacentTo, type Tile, type TilePlace, tileKey, tileWindow } from "./tiles.js";

/** Options of a store. */
export interface TileStoreOptions {
  /** Loads adjacent tiles of a bucket in one request. */
  readonly fetch: (places: readonly TilePlace[], signal: AbortSignal) => Promise<readonly Tile[]>;
  /** Called when a tile was loaded or failed. */
  readonly changed: () => void;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Whether `expire` is called for each change, so that tiles do not age. */
  readonly isFollowing: () => boolean;
}

/** Maximum concurrent requests: a browser has six connections, which others need as well. */
const MAX_REQUESTS = 4;
/** Time without movement before tiles are loaded, in milliseconds. */
const STILL = 70;
/** Time for which tiles are fresh, in milliseconds: those that receive events, and others. */
const FRESH_NOW = 9_000;
const FRESH = 300_000;
/** Age of a tile's end after which it usually receives no events, in milliseconds. */
const SETTLED = 600_000;
/** Maximum spans of all tiles; each takes about 50 bytes plus data. */
const MAX_SPANS = 600_000;
/** Cost of a tile without spans, in spans. */
const TILE_WEIGHT = 16;

interface Kept {
  readonly place: TilePlace;
  readonly tile: Tile;
  readonly weight: number;
  /** End of its freshness. */
  readonly until: number;
}

interface Failed {
  readonly bucketId: string;
  readonly error: unknown;
}

/** The tiles of a timeline. */
export class TileStore {
  readonly #options: TileStoreOptions;
  /** In order of use. */
  readonly #kept: Map<string, Kept> = new Map();
  #weight = 0;
  #wanted: ReadonlyMap<string, TilePlace> = new Map();
  /** Of tiles that one request loads, the same controller. */
  readonly #running: Map<string, AbortController> = new Map();
  readonly #failed: Map<string, Failed> = new Map();
  /** Running loads whose tiles have changed in the meantime. */
  readonly #outdated: Set<string> = new Set();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TileStoreOptions) {
    this.#options = options;
  }

  /** A cached tile, fresh or not. */
  get(place: TilePlace): Tile | undefined {
    const key = tileKey(place);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.tile;
  }

  /** Sets the visible tiles, most important first. Cancels all other loads. */
  want(places: readonly TilePlace[]): void {
    this.#wanted = new Map(places.map((place) => [tileKey(place), place]));
    const needed = new Set([...this.#wanted.keys()].map((key) => this.#running.get(key)));
    for (const [key, controller] of this.#running) {
      if (needed.has(controller)) continue;
      controller.abort();
      this.#running.delete(key);
    }
    if (this.#missing().length > 0) this.#timer ??= setTimeout(() => this.#fetchSome(), STILL);
  }

  /** Whether a bucket has changed since its visible tiles were loaded: their events may no longer exist. */
  isOutdated(bucketId: string): boolean {
    return [...this.#wanted].some(
      ([key, place]) => place.bucketId === bucketId && this.#kept.get(key)?.until === Number.NEGATIVE_INFINITY,
    );
  }

  /** Whether a visible tile is loading. */
  get isBusy(): boolean {
    return this.#running.size > 0 || this.#timer !== undefined;
  }

  /** Failure of a visible tile. */
  get failure(): unknown {
    for (const key of this.#wanted.keys()) if (this.#failed.has(key)) return this.#failed.get(key)?.error;
    return undefined;
  }

  /** Retries failed tiles. */
  retry(): void {
    this.#failed.clear();
    this.#fetchSome();
  }

  /** Notes that events have changed: of a bucket or all, in a time range or at any time. */
  expire(bucketId?: string, range?: TimeWindow): void {
    const isMeant = (place: TilePlace): boolean => {
      const { start, end } = tileWindow(place);
      const isThen = range === undefined || (range.start < end && range.end >= start);
      return isThen && (bucketId === undefined || bucketId === place.bucketId);
    };
    for (const [key, kept] of this.#kept) {
      if (isMeant(kept.place)) this.#kept.set(key, { ...kept, until: Number.NEGATIVE_INFINITY });
    }
    for (const key of this.#running.keys()) {
      const place = this.#wanted.get(key);
      // What is no longer wanted comes with an adjacent tile.
      if (place === undefined || isMeant(place)) this.#outdated.add(key);
    }
  }

  /** Loads visible tiles that have changed. */
  refresh(): void {
    this.#fetchSome();
  }

  /** Reloads the visible tiles of a changed bucket. Previous ones stay visible until then. */
  renew(bucketId: string): void {
    this.expire(bucketId);
    for (const [key, controller] of this.#running) {
      if (this.#wanted.get(key)?.bucketId !== bucketId) continue;
      controller.abort();
      this.#running.delete(key);
    }
    this.#fetchSome();
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
  }

  #missing(): TilePlace[] {
    const now = this.#options.now();
    const missing = [...this.#wanted].filter(([key]) => {
      const { until = 0 } = this.#kept.get(key) ?? {};
      const isFresh = until > now || (until > 0 && this.#options.isFollowing());
      return !(isFresh || this.#running.has(key) || this.#failed.has(key));
    });
    return missing.map(([, place]) => place);
  }

  #fetchSome(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const missing = this.#missing();
    for (const place of missing) {
      if (new Set(this.#running.values()).size >= MAX_REQUESTS) return;
      if (!this.#running.has(tileKey(place))) void this.#fetch(adjacentTo(place, missing));
    }
  }

  async #fetch(places: readonly TilePlace[]): Promise<void> {
    const controller = new AbortController();
    for (const key of places.map(tileKey)) {
      this.#running.set(key, controller);
      this.#outdated.delete(key);
    }
    try {
      const tiles = await this.#options.fetch(places, controller.signal);
      if (controller.signal.aborted) return;
      for (const [at, tile] of tiles.entries()) this.#keep(places[at] as TilePlace, tile);
    } catch (error) {
      if (controller.signal.aborted) return;
      for (const place of places) this.#failed.set(tileKey(place), { bucketId: place.bucketId, error });
    }
    for (const place of places) this.#running.delete(tileKey(place));
    this.#fetchSome();
    this.#options.changed();
  }

  #keep(place: TilePlace, tile: Tile): void {
    const key = tileKey(place);
    const now = this.#options.now();
    const isSettled = tileWindow(place).end < now - SETTLED;
    const weight = TILE_WEIGHT + tile.length;
    this.#weight += weight - (this.#kept.get(key)?.weight ?? 0);
    this.#kept.delete(key);
    const fresh = isSettled ? FRESH : FRESH_NOW;
    const until = this.#outdated.delete(key) ? Number.NEGATIVE_INFINITY : now + fresh;
    this.#kept.set(key, { place, tile, weight, until });
    for (const [oldest, kept] of this.#kept) {
      if (this.#weight <= MAX_SPANS) break;
      if (this.#wanted.has(oldest)) continue;
      this.#kept.delete(oldest);
      this.#weight -= kept.weight;
    }
  }
}
