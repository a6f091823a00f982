// Lists a moment of a window once, with its page or file. Pure.
import type { ClientBucket, ClientSearchEvent } from "../../../client/index.js";
import { isUnknownHost } from "../../../domain/unknown-host.js";
import { FILES, PAGES, WINDOWS } from "./address.js";

interface Span {
  readonly start: number;
  readonly end: number;
}

interface WindowRow extends Span {
  readonly event: ClientSearchEvent;
}

/**
 * Adds events of pages and files to the window in which they were open. They stay if the list has no such window, or if
 * most of their time is outside.
 *
 * @param events in any order, which is kept
 */
export function mergeMoments(
  events: readonly ClientSearchEvent[],
  buckets: readonly Pick<ClientBucket, "id" | "type" | "hostname">[],
): readonly ClientSearchEvent[] {
  const known = new Map(buckets.map((bucket) => [bucket.id, bucket]));
  const windows = new Map<string, WindowRow[]>();
  for (const event of events) {
    const { type = "", hostname = "" } = known.get(event.bucket) ?? {};
    if (!WINDOWS.includes(type)) continue;
    const ofHost = windows.get(hostname) ?? [];
    windows.set(hostname, ofHost);
    ofHost.push({ ...spanOf(event), event });
  }
  for (const ofHost of windows.values()) ofHost.sort((a, b) => a.start - b.start);
  const added = new Map<ClientSearchEvent, ClientSearchEvent["data"]>();
  const left = events.filter((event) => {
    const { type = "", hostname = "" } = known.get(event.bucket) ?? {};
    if (type !== PAGES && type !== FILES) return true;
    const hosts = isUnknownHost(hostname) ? [...windows.keys()] : [hostname];
    const longest = hosts
      .flatMap((host) => longestOverlap(spanOf(event), windows.get(host) ?? []) ?? [])
      .sort((a, b) => b.seconds - a.seconds)[0];
    if (longest === undefined || longest.whole * 2 < event.duration) return true;
    added.set(longest.event, { ...event.data, ...added.get(longest.event), ...longest.event.data });
    return false;
  });
  return left.map((event) => {
    const data = added.get(event);
    return data === undefined ? event : { ...event, data: { ...event.data, ...data } };
  });
}

function spanOf({ timestamp, duration }: ClientSearchEvent): Span {
  const start = Date.parse(timestamp);
  return { start, end: start + duration * 1000 };
}

/** The window with the longest overlap, and the overlap with all of them, in seconds. @param windows ascending */
function longestOverlap(
  { start, end }: Span,
  windows: readonly WindowRow[],
): { readonly event: ClientSearchEvent; readonly seconds: number; readonly whole: number } | undefined {
  let [low, high] = [0, windows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((windows[middle]?.start ?? 0) < end) low = middle + 1;
    else high = middle;
  }
  let found: WindowRow | undefined;
  let [seconds, whole] = [0, 0];
  for (let at = low - 1; at >= 0; at--) {
    const window = windows[at] as WindowRow;
    const overlap = (Math.min(end, window.end) - Math.max(start, window.start)) / 1000;
    if (overlap > 0) whole += overlap;
    if (overlap > seconds) [found, seconds] = [window, overlap];
    // Windows of a device follow each other.
    if (window.start <= start) break;
  }
  return found && { event: found.event, seconds, whole };
}
