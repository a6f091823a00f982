// Fetches tiles that are wanted, and keeps them up to a size.
import { type Tile, type TilePlace, tileKey, tileWindow } from "./tiles.js";

/** What a store works with. */
export interface TileStoreOptions {
  /** Asks the server. */
  readonly fetch: (place: TilePlace, signal: AbortSignal) => Promise<Tile>;
  /** Called when a tile has come, or has failed. */
  readonly changed: () => void;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Requests at a time: a browser has six connections, and others want some of them. */
const AT_A_TIME = 4;
/** So long is waited for the place to become still before something is fetched, in milliseconds. */
const STILL = 70;
/** How long tiles are believed, in milliseconds: those in which events arrive, and others. */
const FRESH_NOW = 9_000;
const FRESH = 300_000;
/** Tiles that end so long ago get no events any more, as a rule, in milliseconds. */
const SETTLED = 600_000;
/** Spans of all tiles together; each takes some 50 bytes beside its data. */
const MOST_SPANS = 600_000;
/** What a tile takes without spans, in spans. */
const TILE_WEIGHT = 16;

interface Kept {
  readonly bucketId: string;
  readonly tile: Tile;
  readonly weight: number;
  /** Until when it is believed. */
  readonly until: number;
}

interface Failed {
  readonly bucketId: string;
  readonly error: unknown;
}

/** The tiles of a timeline. */
export class TileStore {
  readonly #options: TileStoreOptions;
  /** In the order of their use. */
  readonly #kept: Map<string, Kept> = new Map();
  #weight = 0;
  #wanted: ReadonlyMap<string, TilePlace> = new Map();
  readonly #running: Map<string, AbortController> = new Map();
  readonly #failed: Map<string, Failed> = new Map();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: TileStoreOptions) {
    this.#options = options;
  }

  /** A tile that is there, fresh or not. */
  get(place: TilePlace): Tile | undefined {
    const key = tileKey(place);
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.tile;
  }

  /** Says what is in sight, the most important first. Everything else is not fetched any more. */
  want(places: readonly TilePlace[]): void {
    this.#wanted = new Map(places.map((place) => [tileKey(place), place]));
    for (const [key, controller] of this.#running) {
      if (this.#wanted.has(key)) continue;
      controller.abort();
      this.#running.delete(key);
    }
    if (this.#missing().length > 0) this.#timer ??= setTimeout(() => this.#fetchSome(), STILL);
  }

  /** Whether something in sight is on its way. */
  get isBusy(): boolean {
    return this.#running.size > 0 || this.#timer !== undefined;
  }

  /** What went wrong with something in sight. */
  get failure(): unknown {
    for (const key of this.#wanted.keys()) if (this.#failed.has(key)) return this.#failed.get(key)?.error;
    return undefined;
  }

  /** Asks again for what has failed. */
  retry(): void {
    this.#failed.clear();
    this.#fetchSome();
  }

  /** Asks anew for what is in sight of a bucket that is different now; what there was is shown until it comes. */
  renew(bucketId: string): void {
    for (const [key, kept] of this.#kept) {
      if (kept.bucketId === bucketId) this.#kept.set(key, { ...kept, until: Number.NEGATIVE_INFINITY });
    }
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
      return !((this.#kept.get(key)?.until ?? 0) > now || this.#running.has(key) || this.#failed.has(key));
    });
    return missing.map(([, place]) => place);
  }

  #fetchSome(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const place of this.#missing()) {
      if (this.#running.size >= AT_A_TIME) return;
      void this.#fetch(place);
    }
  }

  async #fetch(place: TilePlace): Promise<void> {
    const key = tileKey(place);
    const controller = new AbortController();
    this.#running.set(key, controller);
    try {
      const tile = await this.#options.fetch(place, controller.signal);
      if (controller.signal.aborted) return;
      this.#keep(key, place, tile);
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#failed.set(key, { bucketId: place.bucketId, error });
    }
    this.#running.delete(key);
    this.#fetchSome();
    this.#options.changed();
  }

  #keep(key: string, place: TilePlace, tile: Tile): void {
    const now = this.#options.now();
    const isSettled = tileWindow(place).end < now - SETTLED;
    const weight = TILE_WEIGHT + tile.length;
    this.#weight += weight - (this.#kept.get(key)?.weight ?? 0);
    this.#kept.delete(key);
    this.#kept.set(key, { bucketId: place.bucketId, tile, weight, until: now + (isSettled ? FRESH : FRESH_NOW) });
    for (const [oldest, kept] of this.#kept) {
      if (this.#weight <= MOST_SPANS) break;
      if (this.#wanted.has(oldest)) continue;
      this.#kept.delete(oldest);
      this.#weight -= kept.weight;
    }
  }
}
