// Which tiles a window of a lane is drawn from. Pure.
import type { Piece } from "./paint.js";
import type { TimeWindow } from "./scale.js";
import { childrenOf, parentOf, type Tile, type TilePlace, tilesIn, tileWindow } from "./tiles.js";

/** What there is to draw, and what is to be fetched. */
export interface Assembly {
  readonly pieces: readonly Piece[];
  /** Times of which nothing is there, not even roughly. */
  readonly gaps: readonly TimeWindow[];
  /** What would show the window as fine as it should be, fresh or not. */
  readonly wanted: readonly TilePlace[];
}

/** How far coarser tiles are looked for: from seconds up to years. */
const MOST_COARSER = 26;
/** How far finer ones are. */
const MOST_FINER = 7;

/**
 * Puts a window together. A coarser tile with single events holds all that finer ones would, so nothing more is
 * wanted; one with bins stands in until finer ones are there.
 */
export function assemble(
  bucketId: string,
  window: TimeWindow,
  level: number,
  get: (place: TilePlace) => Tile | undefined,
): Assembly {
  const pieces: Piece[] = [];
  const gaps: TimeWindow[] = [];
  const wanted = new Map<string, TilePlace>();
  for (const index of tilesIn(window, level)) {
    const place = { bucketId, level, index };
    const span = tileWindow(place);
    const whole = wholeOf(place, get);
    const target = whole?.place ?? place;
    wanted.set(`${target.level} ${target.index}`, target);
    const tile = whole?.tile ?? get(place) ?? coarserOf(place, get);
    if (tile !== undefined) {
      const before = pieces.at(-1);
      // What comes of one tile stays together.
      if (before?.tile === tile && before.end === span.start) pieces[pieces.length - 1] = { ...before, end: span.end };
      else pieces.push({ tile, ...span });
      continue;
    }
    const finer = finerOf(place, get, MOST_FINER);
    pieces.push(...finer);
    // Between finer ones as well: what has not come yet is not to look like nothing.
    let at = span.start;
    for (const { start, end } of finer) {
      if (start > at) gaps.push({ start: at, end: start });
      at = end;
    }
    if (at < span.end) gaps.push({ start: at, end: span.end });
  }
  return { pieces, gaps, wanted: [...wanted.values()] };
}

interface Found {
  readonly place: TilePlace;
  readonly tile: Tile;
}

/** The coarsest tile over a place that has its events one by one. */
function wholeOf(place: TilePlace, get: (place: TilePlace) => Tile | undefined): Found | undefined {
  let found: Found | undefined;
  for (let levels = 0; levels <= MOST_COARSER; levels++) {
    const candidate = parentOf(place, levels);
    const tile = get(candidate);
    if (tile !== undefined && !tile.isBinned) found = { place: candidate, tile };
    // What is coarser than many events has no fewer.
    if (tile?.isBinned && found !== undefined) break;
  }
  return found;
}

function coarserOf(place: TilePlace, get: (place: TilePlace) => Tile | undefined): Tile | undefined {
  for (let levels = 1; levels <= MOST_COARSER; levels++) {
    const tile = get(parentOf(place, levels));
    if (tile !== undefined) return tile;
  }
  return undefined;
}

function finerOf(place: TilePlace, get: (place: TilePlace) => Tile | undefined, levels: number): readonly Piece[] {
  if (levels === 0) return [];
  return childrenOf(place).flatMap((child) => {
    const tile = get(child);
    return tile === undefined ? finerOf(child, get, levels - 1) : [{ tile, ...tileWindow(child) }];
  });
}

/** Tiles to fetch, those in the middle of the window first, lane by lane; and beside the window what comes next. */
export function inOrder(lanes: readonly (readonly TilePlace[])[], window: TimeWindow): readonly TilePlace[] {
  const middle = (window.start + window.end) / 2;
  const away = (place: TilePlace): number => {
    const { start, end } = tileWindow(place);
    return Math.max(0, start - middle, middle - end);
  };
  return lanes
    .flat()
    .map((place) => ({ place, distance: away(place) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ place }) => place);
}
