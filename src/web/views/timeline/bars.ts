// Computes a lane's bars in pixels: either every event at its length, or the coverage of each column. A lane never
// mixes both, whatever its tiles. Pure.
import type { Look } from "./looks.js";
import type { Area, Piece } from "./paint.js";
import type { Tile } from "./tiles.js";

/** A filled rectangle, from the bottom of the lane. */
export interface Bar {
  readonly left: number;
  readonly right: number;
  /** Share of the height; 1 for events. */
  readonly share: number;
  readonly look: Look;
}

type LookOf = (data: Tile["datas"][number]) => Look;

/** Narrower events, in pixels, are joined with similar neighbors. */
const APART = 4;
/** Milliseconds per pixel above which lanes show coverage: windows of several days. */
const COARSE = 240_000;
/** Maximum gap between adjacent tiles, in milliseconds. */
const EDGE = 1;

/** The bars, from left to right. */
export function barsOf(pieces: readonly Piece[], look: LookOf, area: Omit<Area, "height">): Bar[] {
  return showsCoverage(pieces, area) ? columnsOf(pieces, look, area) : drawEvents(pieces, look, area);
}

/** Whether a lane shows coverage instead of single events. */
export function showsCoverage(pieces: readonly Piece[], { width, window }: Omit<Area, "height">): boolean {
  return (window.end - window.start) / width >= COARSE || pieces.some(({ tile }) => tile.isBinned);
}

/** The coverage of each pixel column, with the most frequent look. */
function columnsOf(pieces: readonly Piece[], look: LookOf, { width, window }: Omit<Area, "height">): Bar[] {
  const columns = Math.ceil(width);
  const covered = new Float64Array(columns);
  // Majority vote: remaining lead of the current look over all others.
  const lead = new Float64Array(columns);
  const looks: (Look | undefined)[] = new Array<Look | undefined>(columns).fill(undefined);
  const perMilli = width / (window.end - window.start);

  function add(from: number, to: number, share: number, shown: Look): void {
    const left = Math.max(0, (from - window.start) * perMilli);
    // Keeps zero-length events visible.
    const right = Math.min(columns, Math.max(left + 0.05, (to - window.start) * perMilli));
    for (let column = Math.floor(left); column < right; column++) {
      const part = (Math.min(right, column + 1) - Math.max(left, column)) * share;
      covered[column] = (covered[column] as number) + part;
      const rest = lead[column] as number;
      if (looks[column] === undefined || looks[column]?.color === shown.color) lead[column] = rest + part;
      else lead[column] = Math.abs(rest - part);
      if (looks[column] === undefined || (looks[column]?.color !== shown.color && part > rest)) looks[column] = shown;
    }
  }

  for (const { tile, start, end } of pieces) {
    const { starts, ends, shares, kinds, datas } = tile;
    const [low, high] = [Math.max(start, window.start), Math.min(end, window.end)];
    for (let at = 0; at < tile.length; at++) {
      const from = starts[at] as number;
      const to = ends[at] as number;
      if (from > high || to < low) continue;
      add(Math.max(from, low), Math.min(to, high), shares[at] as number, look(datas[kinds[at] as number] ?? {}));
    }
  }
  return joined(looks, covered);
}

/** Joins adjacent equal columns to one bar. */
function joined(looks: readonly (Look | undefined)[], covered: Float64Array): Bar[] {
  const bars: Bar[] = [];
  let last: { left: number; right: number; share: number; look: Look } | undefined;
  for (const [column, look] of looks.entries()) {
    if (look === undefined) continue;
    // Quantized, since heights are whole pixels.
    const share = Math.ceil(Math.min(1, covered[column] as number) * 24) / 24;
    if (last !== undefined && last.right === column && last.look.color === look.color && last.share === share) {
      last.right = column + 1;
      continue;
    }
    last = { left: column, right: column + 1, share, look };
    bars.push(last);
  }
  return bars;
}

/** Each event at its length; short ones join similar previous ones. */
function drawEvents(pieces: readonly Piece[], look: LookOf, { width, window }: Omit<Area, "height">): Bar[] {
  const bars: Bar[] = [];
  const perMilli = width / (window.end - window.start);
  let last: { left: number; right: number; share: number; look: Look } | undefined;
  for (const [index, { tile, start, end }] of pieces.entries()) {
    const { starts, ends, kinds, datas, ids } = tile;
    const [low, high] = [Math.max(start, window.start), Math.min(end, window.end)];
    for (let at = 0; at < tile.length; at++) {
      const from = starts[at] as number;
      let to = ends[at] as number;
      if (from > high || to < low) continue;
      const id = ids[at] as number;
      // An event across the border of two tiles is drawn once.
      if (from <= start && findEnd(pieces[index - 1], id) !== undefined) continue;
      if (to >= end - EDGE) to = findLaterEnd(pieces, index, id) ?? to;
      const left = Math.round((Math.max(from, low) - window.start) * perMilli);
      const right = Math.max(
        left + 1,
        Math.round((Math.min(to, to > high ? window.end : high) - window.start) * perMilli),
      );
      const shown = look(datas[kinds[at] as number] ?? {});
      const isShort = right - left < APART;
      const isNear = last !== undefined && left - last.right <= 1 && last.look.color === shown.color;
      if (last !== undefined && isNear && isShort && last.look.isFaint === shown.isFaint) {
        last.right = Math.max(last.right, right);
        continue;
      }
      last = { left, right, share: 1, look: shown };
      bars.push(last);
    }
  }
  return bars;
}

/** The end of an event that continues in the next pieces; `undefined` if it does not. */
function findLaterEnd(pieces: readonly Piece[], index: number, id: number): number | undefined {
  let found: number | undefined;
  for (let at = index + 1; at < pieces.length; at++) {
    const end = findEnd(pieces[at], id);
    if (end === undefined) break;
    found = end;
    if (end < (pieces[at] as Piece).end - EDGE) break;
  }
  return found;
}

/** The end of an event in a piece; `undefined` if it is not there. */
function findEnd(piece: Piece | undefined, id: number): number | undefined {
  if (piece === undefined || piece.tile.isBinned) return undefined;
  const at = piece.tile.ids.indexOf(id);
  return at < 0 ? undefined : piece.tile.ends[at];
}
