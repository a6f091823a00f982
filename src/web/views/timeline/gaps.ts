// Finds time without activity in a lane, and adjusts the ends of a dragged range. Pure.
import type { Hit } from "./hits.js";
import type { Lane } from "./lanes.js";
import type { TimeWindow } from "./scale.js";
import type { Tile } from "./tiles.js";

/** Lanes that have an event at any time of use: elsewhere, time without an event means nothing. */
const CONTINUOUS: ReadonlySet<string> = new Set(["afkstatus", "currentwindow", "general.stopwatch"]);

/** Whether an event, or its absence, is time that can be labeled. */
export function isLabelable(lane: Lane, hit: Hit | undefined): boolean {
  if (hit === undefined) return CONTINUOUS.has(lane.type);
  return isAway(hit);
}

/** Whether an event is a block of absence. */
export function isAway({ lane, data, id }: Hit): boolean {
  return id !== undefined && lane.type === "afkstatus" && data["status"] === "afk";
}

/** The time between two events around a timestamp, within limits. */
export function gapAt(tiles: readonly Tile[], instant: number, limits: TimeWindow): TimeWindow {
  let { start, end } = limits;
  for (const edge of edgesOf(tiles)) {
    if (edge <= instant) start = Math.max(start, edge);
    else end = Math.min(end, edge);
  }
  return { start, end };
}

/** How to adjust a timestamp, in milliseconds. */
export interface Snapping {
  /** Distance within which it moves to the end of an event. */
  readonly near: number;
  /** Elsewhere, it moves to a multiple of this. */
  readonly step: number;
}

/** Moves a timestamp to the nearest start or end of an event, or else to a round time. */
export function snapped(instant: number, tiles: readonly Tile[], { near, step }: Snapping): number {
  let best: number | undefined;
  for (const edge of edgesOf(tiles)) {
    const distance = Math.abs(edge - instant);
    if (distance <= near && distance < Math.abs((best ?? Number.POSITIVE_INFINITY) - instant)) best = edge;
  }
  return best ?? Math.round(instant / step) * step;
}

/** The adjustment for a scale: full minutes, or seconds if a minute is wide. */
export function snappingAt(millisPerPixel: number): Snapping {
  return { near: 8 * millisPerPixel, step: millisPerPixel < 1000 ? 1000 : 60_000 };
}

/** Starts and ends of events that are not cut by their tiles. */
function* edgesOf(tiles: readonly Tile[]): Generator<number> {
  for (const { length, starts, ends, from, to } of tiles) {
    for (let at = 0; at < length; at++) {
      const start = starts[at] as number;
      const end = ends[at] as number;
      if (start !== from) yield start;
      // Ends are rounded to the millisecond of a tile's end.
      if (end < to - 1 || end === start) yield end;
    }
  }
}
