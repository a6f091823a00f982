// Selects time in a lane, to label it.
import { formatDuration, formatTime } from "../../format.js";
import { gapAt, isLabelable, snapped, snappingAt } from "./gaps.js";
import type { TimeSelection } from "./gestures.js";
import type { Hit } from "./hits.js";
import type { Lane } from "./lanes.js";
import type { TimelineModel } from "./model.js";
import type { TimeWindow } from "./scale.js";
import type { Tile } from "./tiles.js";

/** A position in a lane. */
export interface LanePlace {
  readonly lane: Lane;
  /** Unix milliseconds. */
  readonly instant: number;
  /** The event there. */
  readonly hit: Hit | undefined;
  /** Tiles around; none if the lane shows no single events, or not yet. */
  readonly tiles: readonly Tile[] | undefined;
}

/** Whether time can be selected from there. */
export function canSelect({ lane, instant, hit, tiles }: LanePlace): boolean {
  return tiles !== undefined && instant < Date.now() && isLabelable(lane, hit);
}

/** Selects the gap at a position. @returns whether there is one */
export function selectGap(place: LanePlace, model: TimelineModel): boolean {
  const { hit, tiles, instant } = place;
  if (hit !== undefined || tiles === undefined || !canSelect(place)) return false;
  const { start, end } = model.window.peek();
  model.select({ ...gapAt(tiles, instant, { start, end: Math.min(end, Date.now()) }), isFinal: true });
  return true;
}

/** Starts to select time. @param instantOf the timestamp at a position of the pointer */
export function startSelection(
  { instant, tiles = [] }: LanePlace,
  model: TimelineModel,
  millisPerPixel: number,
  instantOf: (x: number) => number,
): TimeSelection {
  const snapping = snappingAt(millisPerPixel);
  const from = snapped(instant, tiles, snapping);
  return {
    extend(x) {
      const to = Math.min(snapped(instantOf(x), tiles, snapping), Date.now());
      model.select({ start: Math.min(from, to), end: Math.max(from, to), isFinal: false });
    },
    end(isCanceled) {
      const time = model.selected.peek();
      const isEmpty = time === undefined || time.end <= time.start;
      model.select(isCanceled || isEmpty ? undefined : { ...time, isFinal: true });
    },
  };
}

/** The selected time with its text. */
export function labeled({ selected, zone }: TimelineModel): (TimeWindow & { readonly label: string }) | undefined {
  const time = selected.value;
  if (time === undefined) return undefined;
  const [from, to] = [formatTime(time.start, zone.value), formatTime(time.end, zone.value)];
  return { ...time, label: `${from} – ${to} · ${formatDuration((time.end - time.start) / 1000)}` };
}
