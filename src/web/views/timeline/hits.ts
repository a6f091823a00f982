// Finds the event at a position of a lane. Pure.
import type { JsonObject } from "../../../domain/json.js";
import type { Lane } from "./lanes.js";
import type { Tile } from "./tiles.js";

/** An event, or a bin with many, at a position. */
export interface Hit {
  readonly lane: Lane;
  /** Unix milliseconds; for a bin, its ends. */
  readonly start: number;
  readonly end: number;
  /** Duration of the event, possibly negative; for a bin, the time covered by events. */
  readonly seconds: number;
  readonly data: JsonObject;
  /** `undefined` for a bin. */
  readonly id: number | undefined;
  /** Number of events: 1, except for a bin. */
  readonly count: number;
  /** Whether the event may extend beyond the known part. */
  readonly isCut: boolean;
}

/**
 * The event at a timestamp: the newest current one, or else the nearest one.
 *
 * @param tolerance maximum distance in milliseconds
 */
export function hitAt(lane: Lane, tiles: readonly Tile[], instant: number, tolerance: number): Hit | undefined {
  let best: { readonly tile: Tile; readonly at: number } | undefined;
  let least = tolerance;
  for (const tile of tiles) {
    for (let at = 0; at < tile.length; at++) {
      const start = tile.starts[at] as number;
      const end = tile.ends[at] as number;
      const away = instant < start ? start - instant : Math.max(0, instant - end);
      // Prefers events with a duration.
      const distance = end > start ? away : away + tolerance / 1e6;
      if (distance > least) continue;
      least = distance;
      best = { tile, at };
    }
  }
  return best === undefined ? undefined : hitOf(lane, tiles, best.tile, best.at);
}

/** Combines an event across several tiles. */
function hitOf(lane: Lane, tiles: readonly Tile[], tile: Tile, at: number): Hit {
  const id = tile.ids[at] as number;
  let start = tile.starts[at] as number;
  let end = tile.ends[at] as number;
  let seconds = tile.seconds[at] as number;
  const data = tile.datas[tile.kinds[at] as number] ?? {};
  if (tile.isBinned) {
    return { lane, start, end, seconds, data, id: undefined, count: tile.counts[at] as number, isCut: false };
  }
  let [from, to] = [tile.from, tile.to];
  for (const other of tiles) {
    const place = other.ids.indexOf(id);
    if (place < 0 || other === tile || other.isBinned) continue;
    start = Math.min(start, other.starts[place] as number);
    end = Math.max(end, other.ends[place] as number);
    seconds = (end - start) / 1000;
    from = Math.min(from, other.from);
    to = Math.max(to, other.to);
  }
  // Ends are rounded to the millisecond of a tile's end.
  return { lane, start, end, seconds, data, id, count: 1, isCut: start <= from || end >= to - 1 };
}
