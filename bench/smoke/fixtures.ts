import { insertBodies, MICROS_PER_DAY, type Sample } from "../data.js";
import { fillMonth } from "../query/measure.js";
import { ONE_DAY } from "../query/programs.js";
import { eventsOf, SETS, watchersOf } from "../scale/watchers.js";
import { call, createBucket } from "../servers.js";
import { EVENTS } from "../workloads/bulk.js";
import { createBeatBuckets } from "../workloads/heartbeats.js";
import { fillSample } from "../workloads/reads.js";

/** What a server holds before a row is measured. */
export type FixtureName = "empty" | "window" | "day" | "month" | "decade";

/**
 * Fills a server with what it is to hold before a row is measured:
 *
 * - `empty`: buckets without events;
 * - `window`: one bucket of 200,000 events;
 * - `day`: three days of the month below, about the one that `ONE_DAY` names;
 * - `month`: the month of three watchers that queries are measured on;
 * - `decade`: 10.7 million events in eight buckets.
 *
 * Filled over HTTP, since checkouts need not have a storage format in common.
 */
export const FIXTURES: Readonly<Record<FixtureName, (port: number, sample: Sample) => Promise<void>>> = {
  empty: (port) => createBeatBuckets(port),
  window: fillSample,
  day: (port) => fillMonth(port, isAboutOneDay),
  month: (port) => fillMonth(port),
  decade: (port) => fillDecade(port),
};

function isAboutOneDay(timestamp: number): boolean {
  const [start = "", end = ""] = (ONE_DAY[0] ?? "").split("/");
  return timestamp >= Date.parse(start) * 1000 - MICROS_PER_DAY && timestamp < Date.parse(end) * 1000 + MICROS_PER_DAY;
}

async function fillDecade(port: number): Promise<void> {
  for (const watcher of watchersOf("10m")) {
    const { bucketId } = watcher;
    await createBucket(port, bucketId);
    for (const events of eventsOf(watcher, SETS["10m"].days)) {
      for (const body of insertBodies(events, EVENTS))
        await call(port, `/api/0/buckets/${bucketId}/events`, String(body));
    }
  }
}
