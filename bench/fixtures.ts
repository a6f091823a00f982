// The data that a server contains before a row is measured.
import { createBucket, insertAll } from "./client/load.js";
import { insertBodies, MICROS_PER_DAY, type Sample, type SampleEvent } from "./data.js";
import { querySample } from "./month.js";
import { BROWSER_BUCKET, IDLE_BUCKET, ONE_DAY, WINDOW_BUCKET } from "./programs.js";
import { eventsOf, SETS, type SetName, watchersOf } from "./sets/watchers.js";

/** Events of one insert. */
export const EVENTS = 1000;
/** The bucket of the whole sample. */
export const BUCKET = "bench-watcher-window_host";
export const BEAT_BUCKETS = 100;

/**
 * Over HTTP, because checkouts and servers need not share a storage format:
 *
 * - `empty`: 100 buckets for heartbeats;
 * - `window`: one bucket of 200,000 events;
 * - `month`: the month of three watchers that queries read; `day`: the three days of it around `ONE_DAY`;
 * - `200k`: the set of this name; `decade`: the set `10m`, 10.7 million events in eight buckets;
 * - `none`: nothing, because the folder is a copy of a set.
 */
export type FixtureName = "empty" | "window" | "day" | "month" | "200k" | "decade" | "none";

export const FIXTURES: Readonly<Record<FixtureName, (port: number, sample: Sample) => Promise<void>>> = {
  async empty(port) {
    for (let at = 0; at < BEAT_BUCKETS; at++) await createBucket(port, beatBucket(at));
  },
  async window(port, { window }) {
    await createBucket(port, BUCKET);
    await insertAll(port, BUCKET, insertBodies(window, EVENTS));
  },
  day(port) {
    const [start = 0, end = 0] = (ONE_DAY[0] ?? "").split("/").map((at) => Date.parse(at) * 1000);
    return fillMonth(port, ({ timestamp }) => timestamp >= start - MICROS_PER_DAY && timestamp < end + MICROS_PER_DAY);
  },
  month: (port) => fillMonth(port, () => true),
  "200k": (port) => fillSet(port, "200k"),
  decade: (port) => fillSet(port, "10m"),
  none: async () => undefined,
};

export function beatBucket(number: number): string {
  return `bench-watcher-window_${String(number).padStart(3, "0")}`;
}

async function fillSet(port: number, name: SetName): Promise<void> {
  for (const watcher of watchersOf(name)) {
    await createBucket(port, watcher.bucketId, watcher.type);
    for (const events of eventsOf(watcher, SETS[name].days))
      await insertAll(port, watcher.bucketId, insertBodies(events, EVENTS));
  }
}

async function fillMonth(port: number, isWanted: (event: SampleEvent<object>) => boolean): Promise<void> {
  const { window, idle, browser } = querySample();
  const buckets: readonly (readonly [string, string, readonly SampleEvent<object>[]])[] = [
    [WINDOW_BUCKET, "currentwindow", window],
    [IDLE_BUCKET, "afkstatus", idle],
    [BROWSER_BUCKET, "web.tab.current", browser],
  ];
  for (const [id, type, events] of buckets) {
    await createBucket(port, id, type);
    await insertAll(port, id, insertBodies(events.filter(isWanted), EVENTS));
  }
}
