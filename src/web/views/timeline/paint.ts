// Draws lanes and the time axis.
import { textOn } from "../../category-colors.js";
import type { Bar } from "./bars.js";
import { type TimeWindow, xOf } from "./scale.js";
import type { Axis } from "./ticks.js";
import type { Tile } from "./tiles.js";

/** Colors of the page. */
export interface Paints {
  readonly ground: string;
  readonly lane: string;
  readonly line: string;
  readonly ink: string;
  readonly quiet: string;
  readonly accent: string;
  readonly now: string;
}

/** Position of the drawing, in CSS pixels. */
export interface Area {
  readonly width: number;
  readonly height: number;
  readonly window: TimeWindow;
}

/** A complete tile, or the part that others do not cover. */
export interface Piece {
  readonly tile: Tile;
  /** Unix milliseconds. */
  readonly start: number;
  readonly end: number;
}

/** A lane with its position. */
export interface PaintedLane {
  readonly top: number;
  readonly height: number;
  readonly bars: readonly Bar[];
  /** Times without data yet. */
  readonly gaps: readonly TimeWindow[];
  readonly isFocused: boolean;
}

/** What `paintLanes` draws. */
export interface Painting {
  readonly lanes: readonly PaintedLane[];
  readonly axis: Axis;
  readonly paints: Paints;
  readonly now: number;
  readonly selected: (TimeWindow & { readonly label: string }) | undefined;
}

const FONT = '12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** Opacity of events that the filter excludes. */
const FAINT = 0.16;
/** Minimum width of most letters, in pixels. */
const LETTER = 6;
/** Minimum width of a labeled event, in pixels. */
const LABELLED = 34;
/** Minimum width of events with a gap between them, in pixels. */
const APART = 4;
/** Keeps bins with little coverage visible. */
const MIN_SHARE = 0.16;

/** Adjusts the canvas to the screen's resolution. */
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

/** Draws the axis marks through the lanes, and the lanes. */
export function paintLanes(
  context: CanvasRenderingContext2D,
  area: Area,
  { lanes, axis, paints, now, selected }: Painting,
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
  if (selected !== undefined) paintSelected(context, area, selected, paints);
  const x = Math.round(xOf(now, window, width));
  if (x >= 0 && x <= width) {
    context.fillStyle = paints.now;
    context.fillRect(x, 0, 2, height);
  }
}

function paintSelected(
  context: CanvasRenderingContext2D,
  { width, height, window }: Area,
  { start, end, label }: NonNullable<Painting["selected"]>,
  { accent, ground, ink }: Paints,
): void {
  const [left, right] = [Math.round(xOf(start, window, width)), Math.round(xOf(end, window, width))];
  context.fillStyle = accent;
  context.globalAlpha = 0.2;
  context.fillRect(left, 0, right - left, height);
  context.globalAlpha = 1;
  context.fillRect(left, 0, 2, height);
  context.fillRect(right - 2, 0, 2, height);
  const across = context.measureText(label).width + 12;
  const at = Math.max(0, Math.min(width - across, (left + right - across) / 2));
  context.fillStyle = ground;
  context.fillRect(at, 2, across, 20);
  context.fillStyle = ink;
  context.fillText(label, at + 6, 12.5);
}

function paintLane(context: CanvasRenderingContext2D, area: Area, lane: PaintedLane, paints: Paints): void {
  const { width, window } = area;
  for (const bar of lane.bars) paintBar(context, lane, bar);
  context.fillStyle = paints.quiet;
  context.globalAlpha = 0.14;
  for (const gap of lane.gaps) {
    const from = Math.max(0, xOf(gap.start, window, width));
    const to = Math.min(width, xOf(gap.end, window, width));
    context.fillRect(from, lane.top, Math.max(0, to - from), lane.height);
  }
  context.globalAlpha = 1;
  if (!lane.isFocused) return;
  context.strokeStyle = paints.accent;
  context.lineWidth = 2;
  context.strokeRect(1, lane.top - 2, width - 2, lane.height + 4);
}

function paintBar(
  context: CanvasRenderingContext2D,
  { top, height }: PaintedLane,
  { left, right, share, look }: Bar,
): void {
  const across = right - left;
  const tall = share >= 1 ? height : Math.max(2, Math.round(height * Math.max(MIN_SHARE, share)));
  context.globalAlpha = look.isFaint ? FAINT : 1;
  context.fillStyle = look.color;
  context.fillRect(left, top + height - tall, share >= 1 && across >= APART ? across - 1 : across, tall);
  if (tall < height || across < LABELLED || look.label === "" || look.isFaint) return;
  context.fillStyle = textOn(look.color);
  // Isolated, so that the ellipsis is at the end in the label's own direction.
  context.fillText(`\u2068${cut(look.label, across - 9)}\u2069`, left + 4, top + height / 2 + 0.5, across - 8);
}

function cut(label: string, width: number): string {
  const most = Math.floor(width / LETTER);
  return label.length <= most ? label : `${label.slice(0, Math.max(1, most - 1))}…`;
}

/** Draws the time axis: larger units above, labels of the marks below. */
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
