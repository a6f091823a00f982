// Tiles of lanes. A tile has as many bins as pixels, and a position independent of the window, so that it can be
// cached. Pure.
import type { ClientTimeline } from "../../../client/index.js";
import type { JsonObject } from "../../../domain/json.js";
import type { TimeWindow } from "./scale.js";

/** Maximum number of bins of a tile, and of separate events. */
export const TILE_BINS = 1024;

/** Position of a tile; its bins are 2^`level` milliseconds long. */
export interface TilePlace {
  readonly bucketId: string;
  readonly level: number;
  /** Tiles of a level are numbered from 1970. */
  readonly index: number;
}

/** Half a millisecond: one second fills any screen. */
const FINEST = -1;
/** 18 days per bin, 50 years per tile. */
const COARSEST = 31;

/** The level at which a bin is between half a pixel and a pixel wide. */
export function levelFor(millisPerPixel: number): number {
  return Math.min(COARSEST, Math.max(FINEST, Math.floor(Math.log2(millisPerPixel))));
}

/** Length of a tile in milliseconds. */
export function tileLength(level: number): number {
  return TILE_BINS * 2 ** level;
}

/** The time range of a tile. */
export function tileWindow({ level, index }: Pick<TilePlace, "level" | "index">): TimeWindow {
  const length = tileLength(level);
  return { start: index * length, end: (index + 1) * length };
}

/** Indexes of the tiles that a window touches, in chronological order. */
export function tilesIn({ start, end }: TimeWindow, level: number): readonly number[] {
  const length = tileLength(level);
  const first = Math.floor(start / length);
  const last = Math.max(first, Math.ceil(end / length) - 1);
  return Array.from({ length: last - first + 1 }, (_, step) => first + step);
}

/** The tile of a coarser level that contains another one. */
export function parentOf({ bucketId, level, index }: TilePlace, levels = 1): TilePlace {
  return { bucketId, level: level + levels, index: Math.floor(index / 2 ** levels) };
}

/** The two tiles of the next finer level. */
export function childrenOf({ bucketId, level, index }: TilePlace): readonly [TilePlace, TilePlace] {
  return [
    { bucketId, level: level - 1, index: 2 * index },
    { bucketId, level: level - 1, index: 2 * index + 1 },
  ];
}

/** A unique key per tile. */
export function tileKey({ bucketId, level, index }: TilePlace): string {
  return `${level} ${index} ${bucketId}`;
}

/** Content of a tile, as columns in chronological order. */
export interface Tile {
  /** Whether the spans are bins with many events. */
  readonly isBinned: boolean;
  /** Start of its range in Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly length: number;
  /** Unix milliseconds; events are cut to the tile. */
  readonly starts: Float64Array;
  /** Not before the start. */
  readonly ends: Float64Array;
  /** Durations from the response, possibly negative. */
  readonly seconds: Float64Array;
  /** Coverage of a bin, from 0 to 1; 1 for events. */
  readonly shares: Float32Array;
  /** Number of events in a bin; 1 for events. */
  readonly counts: Uint32Array;
  /** IDs of events; 0 for bins. */
  readonly ids: Float64Array;
  /** Index in `datas`. */
  readonly kinds: Uint32Array;
  readonly datas: readonly JsonObject[];
}

/** Maximum number of tiles in one request. */
const MAX_JOINED = 4;

/** Tiles that one request can load: a place, and those of a list without a gap in between, in chronological order. */
export function adjacentTo(place: TilePlace, list: readonly TilePlace[]): readonly TilePlace[] {
  const keys = new Set(list.map(tileKey));
  const joined = [place];
  for (const step of [1, -1]) {
    let next = { ...place, index: place.index + step };
    for (; joined.length < MAX_JOINED && keys.has(tileKey(next)); next = { ...next, index: next.index + step }) {
      if (step > 0) joined.push(next);
      else joined.unshift(next);
    }
  }
  return joined;
}

/**
 * The request for adjacent tiles. The end belongs to the next tile, so that events that only start there are excluded.
 */
export function tileRequest(places: readonly TilePlace[]): {
  readonly start: string;
  readonly end: string;
  readonly bins: number;
} {
  const windows = places.map(tileWindow);
  const start = Math.min(...windows.map((one) => one.start));
  const end = Math.max(...windows.map((one) => one.end));
  return { start: printMicros(start * 1000), end: printMicros(end * 1000 - 1), bins: places.length * TILE_BINS };
}

/** Converts a response for adjacent tiles. */
export function tilesOf(answer: ClientTimeline, places: readonly TilePlace[]): readonly Tile[] {
  return places.length === 1 ? [tileOf(answer)] : places.map((place, at) => tileOf(partOf(answer, place, at)));
}

/** The response for one of adjacent tiles. */
function partOf({ events, bins, ...answer }: ClientTimeline, place: TilePlace, at: number): ClientTimeline {
  const { start, end } = tileRequest([place]);
  const part = { ...answer, start, end };
  if (events !== undefined) return { ...part, events: events.flatMap((event) => cut(event, tileWindow(place))) };
  const own = (bins ?? []).map((bin) => ({ ...bin, index: bin.index - at * TILE_BINS }));
  return { ...part, bins: own.filter(({ index }) => index >= 0 && index < TILE_BINS) };
}

/** The part of an event in a window; none if it does not touch that, as it does when it ends at the start. */
function cut<Event extends { readonly timestamp: string; readonly duration: number }>(
  event: Event,
  window: TimeWindow,
): readonly Event[] {
  const start = Date.parse(event.timestamp);
  const end = start + event.duration * 1000;
  if (start >= window.end || (start < window.start && end < window.start)) return [];
  if (start >= window.start && end <= window.end) return [event];
  const from = Math.max(start, window.start);
  return [{ ...event, timestamp: printMicros(from * 1000), duration: (Math.min(end, window.end) - from) / 1000 }];
}

function printMicros(micros: number): string {
  const millis = Math.floor(micros / 1000);
  return `${new Date(millis).toISOString().slice(0, -1)}${String(micros - millis * 1000).padStart(3, "0")}Z`;
}

/** Converts a response. */
export function tileOf(answer: ClientTimeline): Tile {
  const { events, bins = [], data = [], start, end, bin_duration: seconds = 0 } = answer;
  const length = events?.length ?? bins.length;
  const tile = {
    isBinned: events === undefined,
    from: Date.parse(start ?? ""),
    to: Date.parse(end ?? ""),
    length,
    starts: new Float64Array(length),
    ends: new Float64Array(length),
    seconds: new Float64Array(length),
    shares: new Float32Array(length).fill(1),
    counts: new Uint32Array(length).fill(1),
    ids: new Float64Array(length),
    kinds: new Uint32Array(length),
  };
  if (events === undefined) {
    for (const [at, bin] of bins.entries()) {
      tile.starts[at] = tile.from + bin.index * seconds * 1000;
      tile.ends[at] = tile.from + (bin.index + 1) * seconds * 1000;
      tile.seconds[at] = bin.covered;
      tile.shares[at] = Math.min(1, bin.covered / seconds);
      tile.counts[at] = bin.count;
      tile.kinds[at] = bin.data;
    }
    return { ...tile, datas: data };
  }
  for (const [at, { id, timestamp, duration }] of events.entries()) {
    const from = Date.parse(timestamp);
    tile.starts[at] = from;
    tile.ends[at] = from + Math.max(0, duration * 1000);
    tile.seconds[at] = duration;
    tile.ids[at] = id;
    tile.kinds[at] = at;
  }
  return { ...tile, datas: events.map((event) => event.data) };
}
