// Draws lanes and the time axis.
import { textOn } from "../../category-colors.js";
import type { Look } from "./looks.js";
import { type TimeWindow, xOf } from "./scale.js";
import type { Axis } from "./ticks.js";
import type { Tile } from "./tiles.js";

/** Colours of the page. */
export interface Paints {
  readonly ground: string;
  readonly lane: string;
  readonly line: string;
  readonly ink: string;
  readonly quiet: string;
  readonly accent: string;
  readonly now: string;
}

/** Where something is drawn, in CSS pixels. */
export interface Area {
  readonly width: number;
  readonly height: number;
  readonly window: TimeWindow;
}

/** Part of a tile: the whole, or what another one leaves. */
export interface Piece {
  readonly tile: Tile;
  /** Unix milliseconds. */
  readonly start: number;
  readonly end: number;
}

/** A lane at its place. */
export interface PaintedLane {
  readonly top: number;
  readonly height: number;
  readonly pieces: readonly Piece[];
  /** Times of which nothing is there yet. */
  readonly gaps: readonly TimeWindow[];
  readonly isFocused: boolean;
  readonly look: (data: Tile["datas"][number]) => Look;
}

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** How much is seen of what the filter leaves out. */
const FAINT = 0.16;
/** Width of most letters, at least, in pixels. */
const LETTER = 6;
/** From this width on an event has a label, in pixels. */
const LABELLED = 34;
/** From this width on events stand apart, in pixels. */
const APART = 4;
/** Tiles end so much before the next one begins, at most, in milliseconds. */
const EDGE = 1;
/** A bin with little in it is still seen. */
const LEAST_SHARE = 0.16;

/** Makes a canvas as fine as the screen. */
export function fitted(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = globalThis.devicePixelRatio || 1;
  const [across, down] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d", { alpha: false });
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

/** Draws the marks of the axis through the lanes, and the lanes. */
export function paintLanes(
  context: CanvasRenderingContext2D,
  area: Area,
  { lanes, axis, paints, now }: { lanes: readonly PaintedLane[]; axis: Axis; paints: Paints; now: number },
): void {
  const { width, height, window } = area;
  context.fillStyle = paints.ground;
  context.fillRect(0, 0, width, height);
  for (const lane of lanes) {
    context.fillStyle = paints.lane;
    context.fillRect(0, lane.top, width, lane.height);
  }
  context.fillStyle = paints.line;
  for (const { at } of axis.ticks) context.fillRect(Math.round(xOf(at, window, width)), 0, 1, height);
  context.font = FONT;
  context.textBaseline = "middle";
  for (const lane of lanes) paintLane(context, area, lane, paints);
  const x = Math.round(xOf(now, window, width));
  if (x >= 0 && x <= width) {
    context.fillStyle = paints.now;
    context.fillRect(x, 0, 2, height);
  }
}

function paintLane(context: CanvasRenderingContext2D, area: Area, lane: PaintedLane, paints: Paints): void {
  const { width, window } = area;
  for (const index of lane.pieces.keys()) paintPiece(context, area, lane, index);
  context.fillStyle = paints.quiet;
  context.globalAlpha = 0.14;
  for (const gap of lane.gaps) {
    const from = Math.max(0, xOf(gap.start, window, width));
    const to = Math.min(width, xOf(gap.end, window, width));
    context.fillRect(from, lane.top + lane.height / 2 - 1, Math.max(0, to - from), 2);
  }
  context.globalAlpha = 1;
  if (!lane.isFocused) return;
  context.strokeStyle = paints.accent;
  context.lineWidth = 2;
  context.strokeRect(1, lane.top - 2, width - 2, lane.height + 4);
}

function paintPiece(
  context: CanvasRenderingContext2D,
  { width, window }: Area,
  { top, height, look, pieces }: PaintedLane,
  index: number,
): void {
  const { tile, start, end } = pieces[index] as Piece;
  const { length, starts, ends, shares, kinds, datas, isBinned, ids } = tile;
  const low = Math.max(start, window.start);
  const high = Math.min(end, window.end);
  const perMilli = width / (window.end - window.start);
  let color = "";
  for (let at = 0; at < length; at++) {
    const from = starts[at] as number;
    let to = ends[at] as number;
    if (from > high || to < low) continue;
    let stop = high;
    if (!isBinned) {
      // What reaches over the border of two tiles is drawn at once.
      if (from <= start && endIn(pieces[index - 1], ids[at] as number) !== undefined) continue;
      if (to >= end - EDGE) to = endBehind(pieces, index, ids[at] as number) ?? to;
      stop = to > high ? window.end : high;
    }
    const left = Math.round((Math.max(from, low) - window.start) * perMilli);
    const right = Math.round((Math.min(to, stop) - window.start) * perMilli);
    const across = Math.max(1, right - left);
    const shown = look(datas[kinds[at] as number] ?? {});
    context.globalAlpha = shown.isFaint ? FAINT : 1;
    if (shown.color !== color) {
      color = shown.color;
      context.fillStyle = color;
    }
    if (isBinned) {
      const tall = Math.max(2, Math.round(height * Math.max(LEAST_SHARE, shares[at] as number)));
      context.fillRect(left, top + height - tall, across, tall);
      continue;
    }
    context.fillRect(left, top, across >= APART ? across - 1 : across, height);
    if (across < LABELLED || shown.label === "" || shown.isFaint) continue;
    context.fillStyle = textOn(color);
    context.fillText(cut(shown.label, across - 9), left + 4, top + height / 2 + 0.5, across - 8);
    context.fillStyle = color;
  }
  context.globalAlpha = 1;
}

/** Where an event ends that goes on in the next pieces; `undefined` when it does not. */
function endBehind(pieces: readonly Piece[], index: number, id: number): number | undefined {
  let found: number | undefined;
  for (let at = index + 1; at < pieces.length; at++) {
    const end = endIn(pieces[at], id);
    if (end === undefined) break;
    found = end;
    if (end < (pieces[at] as Piece).end - EDGE) break;
  }
  return found;
}

/** Where an event of a piece ends; `undefined` when it is not there. */
function endIn(piece: Piece | undefined, id: number): number | undefined {
  if (piece === undefined || piece.tile.isBinned) return undefined;
  const at = piece.tile.ids.indexOf(id);
  return at < 0 ? undefined : piece.tile.ends[at];
}

function cut(label: string, width: number): string {
  const most = Math.floor(width / LETTER);
  return label.length <= most ? label : `${label.slice(0, Math.max(1, most - 1))}…`;
}

/** Draws the time axis: what the marks are part of above, their labels below. */
export function paintAxis(
  context: CanvasRenderingContext2D,
  { width, height, window }: Area,
  axis: Axis,
  paints: Paints,
): void {
  context.fillStyle = paints.ground;
  context.fillRect(0, 0, width, height);
  context.font = FONT;
  context.textBaseline = "middle";
  const middle = Math.round(height / 2);
  axis.parts.forEach(({ at, label }, index) => {
    const x = xOf(at, window, width);
    const next = axis.parts[index + 1];
    const stop = next === undefined ? width : xOf(next.at, window, width);
    const left = Math.max(0, x);
    context.fillStyle = paints.line;
    if (x > 0) context.fillRect(Math.round(x), 0, 1, height);
    context.fillStyle = paints.ink;
    if (stop - left > context.measureText(label).width + 10) context.fillText(label, left + 5, middle / 2 + 1);
  });
  for (const { at, label } of axis.ticks) {
    const x = Math.round(xOf(at, window, width));
    context.fillStyle = paints.line;
    context.fillRect(x, middle, 1, height - middle);
    context.fillStyle = paints.quiet;
    if (x + context.measureText(label).width + 4 <= width) context.fillText(label, x + 4, middle * 1.5);
  }
  context.fillStyle = paints.line;
  context.fillRect(0, height - 1, width, 1);
}
