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

/** Whether each lane has events; `undefined` if that is unknown. */
export type KnownEvents = ReadonlyMap<Lane, boolean | undefined>;

/** Hosts without events, if another one has some: otherwise, no lane would be left. Unknown ones stay as before. */
export function emptyHosts(has: KnownEvents, before: ReadonlySet<string>): ReadonlySet<string> {
  const hosts = hostsOf(has);
  const empty = [...hosts].filter(([host, found]) => found === false || (found === undefined && before.has(host)));
  return empty.length === hosts.size ? new Set() : new Set(empty.map(([host]) => host));
}

/** Lanes that decide whether their host is empty: unknown ones, and those of folded hosts, which may get events. */
export function undecided(has: KnownEvents, folded: ReadonlySet<string>): readonly Lane[] {
  const hosts = hostsOf(has);
  if (hosts.size < 2) return [];
  const isUnknown = (lane: Lane): boolean => has.get(lane) === undefined && hosts.get(lane.host) === undefined;
  return [...has.keys()].filter((lane) => !isManual(lane) && (folded.has(lane.host) || isUnknown(lane)));
}

/** Whether each host has events: one lane with events is enough, and all must be known to have none. */
function hostsOf(has: KnownEvents): ReadonlyMap<string, boolean | undefined> {
  const hosts = new Map<string, boolean | undefined>();
  for (const [lane, found] of has) {
    if (isManual(lane)) continue;
    const isFirst = !hosts.has(lane.host);
    const one = hosts.get(lane.host);
    hosts.set(lane.host, found || one || (isFirst || found === one ? found : undefined));
  }
  return hosts;
}
