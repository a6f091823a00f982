import { FIRST_DAY, MICROS_PER_DAY, type SampleEvent, sample } from "../data.js";
import { IDLE_BUCKET, WINDOW_BUCKET } from "../programs.js";

/** Goes up with every change of what is generated or of the format: folders that were filled before are not used then. */
export const GENERATOR_VERSION = 2;

/** Every set ends here: what a watcher reports now is newer. */
const LAST_DAY_ENDS = FIRST_DAY;
/** After so many days people have other things on their screens. */
const DAYS_OF_TITLES = 100;

/**
 * - `100k`: 100,000 window and 10,000 idle events, the last days of the largest set, event by event;
 * - `200k`: 200,000 window and 20,000 idle events;
 * - `10m`: ten years of eight watchers, 10,015,600 window and 730,000 idle events.
 */
export type SetName = "100k" | "200k" | "10m";

/** How much a set holds. */
export const SETS: Readonly<Record<SetName, { readonly days: number; readonly otherMachines: number }>> = {
  "100k": { days: 50, otherMachines: 0 },
  "200k": { days: 100, otherMachines: 0 },
  "10m": { days: 3650, otherMachines: 6 },
};

/** A watcher of a set. */
export interface ScaleWatcher {
  readonly bucketId: string;
  readonly type: string;
  readonly hostname: string;
  readonly windowPerDay: number;
  readonly idlePerDay: number;
  readonly seed: number;
}

/** A computer that is used all day, with a window and an idle watcher, and others that are used now and then. */
export function watchersOf(name: SetName): ScaleWatcher[] {
  const desktop = { hostname: "bench", windowPerDay: 0, idlePerDay: 0 };
  const others = Array.from({ length: SETS[name].otherMachines }, (_, index) => ({
    bucketId: otherBucket(index + 1),
    type: "currentwindow",
    hostname: `bench-${index + 1}`,
    windowPerDay: 124,
    idlePerDay: 0,
    seed: 300_000 + 100_000 * index,
  }));
  return [
    { ...desktop, bucketId: WINDOW_BUCKET, type: "currentwindow", windowPerDay: 2000, seed: 100_000 },
    { ...desktop, bucketId: IDLE_BUCKET, type: "afkstatus", idlePerDay: 200, seed: 200_000 },
    ...others,
  ];
}

/** The window bucket of a further machine, numbered from 1. */
export function otherBucket(number: number): string {
  return `aw-watcher-window_bench-${number}`;
}

/** The first instant of a day of a set, numbered from 0, in microseconds. */
export function dayOf(name: SetName, day: number): number {
  return LAST_DAY_ENDS - (SETS[name].days - day) * MICROS_PER_DAY;
}

/**
 * What a watcher reported, ascending by time, a few months at once. Counted from the end, so that the last days of a
 * long set are those of a short one.
 */
export function* eventsOf(watcher: ScaleWatcher, days: number): Generator<readonly SampleEvent[]> {
  const { windowPerDay, idlePerDay } = watcher;
  for (let left = days; left > 0; left -= DAYS_OF_TITLES) {
    const { window, idle } = sample({
      days: Math.min(DAYS_OF_TITLES, left),
      firstDay: LAST_DAY_ENDS - left * MICROS_PER_DAY,
      windowPerDay,
      idlePerDay,
      seed: watcher.seed + left,
    });
    yield windowPerDay > 0 ? window : idle;
  }
}

/** Microseconds as a timestamp of whole seconds. */
export function isoOf(micros: number): string {
  return `${new Date(micros / 1000).toISOString().slice(0, 19)}+00:00`;
}
