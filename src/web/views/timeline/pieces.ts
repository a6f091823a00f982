// Selects the tiles of a lane's window. Pure.
import type { Piece } from "./paint.js";
import type { TimeWindow } from "./scale.js";
import { childrenOf, parentOf, type Tile, type TilePlace, tilesIn, tileWindow } from "./tiles.js";

/** Pieces to draw, and tiles to load. */
export interface Assembly {
  readonly pieces: readonly Piece[];
  /** Times without even coarse data. */
  readonly gaps: readonly TimeWindow[];
  /** Tiles for the ideal resolution, fresh or not. */
  readonly wanted: readonly TilePlace[];
}

/** Maximum number of coarser levels to search: from seconds to years. */
const MAX_COARSER = 26;
/** Maximum number of finer levels to search. */
const MAX_FINER = 7;

/**
 * Assembles a window. A coarser tile with single events contains everything that finer ones would, so that no more are
 * needed; one with bins is used until finer ones are loaded.
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
      // Joins parts of one tile.
      if (before?.tile === tile && before.end === span.start) pieces[pieces.length - 1] = { ...before, end: span.end };
      else pieces.push({ tile, ...span });
      continue;
    }
    const finer = finerOf(place, get, MAX_FINER);
    pieces.push(...finer);
    // Marks gaps between finer tiles, since missing data must not look like no activity.
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

/** The coarsest tile over a place with single events. */
function wholeOf(place: TilePlace, get: (place: TilePlace) => Tile | undefined): Found | undefined {
  let found: Found | undefined;
  for (let levels = 0; levels <= MAX_COARSER; levels++) {
    const candidate = parentOf(place, levels);
    const tile = get(candidate);
    if (tile !== undefined && !tile.isBinned) found = { place: candidate, tile };
    // A coarser tile cannot have fewer events.
    if (tile?.isBinned && found !== undefined) break;
  }
  return found;
}

function coarserOf(place: TilePlace, get: (place: TilePlace) => Tile | undefined): Tile | undefined {
  for (let levels = 1; levels <= MAX_COARSER; levels++) {
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

/** Tiles to load, those in the middle of the window first, lane by lane; then those next to the window. */
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
