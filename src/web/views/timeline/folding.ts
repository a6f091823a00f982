// Finds devices without events in view. Pure.
import type { ClientBucket } from "../../../client/index.js";
import { type Calendar, dayAt, periodAround } from "../../period.js";
import { isManual, type Lane } from "./lanes.js";
import type { Assembly } from "./pieces.js";
import type { TimeWindow } from "./scale.js";

/** A day with a change of clocks may be an hour shorter. */
const ALMOST_DAY = 23 * 3_600_000;

/** The time in which a device without events is empty: at least a day, so that zooming in changes nothing. */
export function rangeToFold(window: TimeWindow, calendar: Calendar): TimeWindow {
  if (window.end - window.start >= ALMOST_DAY) return window;
  const dayOf = (instant: number): TimeWindow => periodAround("day", dayAt(instant, calendar), calendar);
  return { start: dayOf(window.start).start, end: dayOf(window.end - 1).end };
}

/** Whether a bucket may have events in a range, by its first and last one. */
export function mayHaveEvents({ metadata }: Pick<ClientBucket, "metadata">, { start, end }: TimeWindow): boolean {
  const [first, last] = [Date.parse(metadata?.start ?? ""), Date.parse(metadata?.end ?? "")];
  return first < end && last > start;
}

/** Whether a lane has events in a range. @returns `undefined` until all of it is loaded */
export function hasEvents({ pieces, gaps }: Assembly, { start, end }: TimeWindow): boolean | undefined {
  for (const { tile } of pieces) {
    for (let at = 0; at < tile.length; at++) {
      if ((tile.starts[at] as number) < end && (tile.ends[at] as number) > start) return true;
    }
  }
  return gaps.length > 0 ? undefined : false;
}

/**
 * Hosts without events, if another one has some: otherwise, no lane would be left.
 *
 * @param has whether a lane has events; `undefined` if that is unknown, so that its host stays as it is
 */
export function emptyHosts(
  lanes: readonly Lane[],
  has: (lane: Lane) => boolean | undefined,
  before: ReadonlySet<string>,
): ReadonlySet<string> {
  const known = new Map<string, boolean | undefined>();
  for (const lane of lanes) {
    if (isManual(lane) || known.get(lane.host) === true) continue;
    const found = has(lane);
    const isFirst = !known.has(lane.host);
    known.set(lane.host, found || isFirst || found === known.get(lane.host) ? found : undefined);
  }
  const empty = [...known].filter(([host, found]) => found === false || (found === undefined && before.has(host)));
  return empty.length === known.size ? new Set() : new Set(empty.map(([host]) => host));
}
