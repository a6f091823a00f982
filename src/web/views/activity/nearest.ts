// Finds the nearest activity to an empty period.
import type { ClientBucket } from "../../../client/index.js";
import { client } from "../../api.js";
import { type Calendar, dayAt, type Period } from "../../period.js";
import { extentOf } from "./extent.js";

/** Maximum number of buckets to query for the event before a period. */
const MAX_ASKED = 8;

/** The nearest day with events before a period, or else after it; `undefined` without events. */
export async function nearestDay(
  telling: readonly ClientBucket[],
  period: Period,
  calendar: Calendar,
  signal: AbortSignal,
): Promise<string | undefined> {
  const extent = extentOf(telling);
  if (extent === undefined) return undefined;
  if (extent.end <= period.start) return dayAt(extent.end - 1, calendar);
  if (extent.start >= period.end) return dayAt(extent.start, calendar);
  const before = await Promise.all(telling.slice(0, MAX_ASKED).map(({ id }) => lastBefore(id, period.start, signal)));
  const last = Math.max(...before);
  return last > 0 ? dayAt(last, calendar) : undefined;
}

/** Start of the last event before a timestamp; 0 = none. */
async function lastBefore(bucketId: string, instant: number, signal: AbortSignal): Promise<number> {
  const range = { end: new Date(instant - 1), limit: 1 };
  const [event] = await client.events.list(bucketId, range, { signal });
  return event === undefined ? 0 : Date.parse(event.timestamp) || 0;
}
