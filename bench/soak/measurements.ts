import { median, quantile } from "../measure.js";
import type { ActiveClock } from "./clock.js";
import { folderBytes, type Server } from "./server.js";

/** A process that has compiled nothing yet is slow, so its first heartbeats do not count. */
const COLD_MILLIS = 5_000;
const SAMPLE_EVERY_MILLIS = 1000;
const FOLDER_EVERY_MILLIS = 10_000;
/** The age at which lives are compared. */
const ADULT_MILLIS = 15_000;
const MILLIS_PER_MINUTE = 60_000;
/** Enough latencies of a minute for its 99th percentile. */
const LATENCIES_PER_MINUTE = 5_000;

/** A number and when it was seen, in minutes since the start. */
interface Point {
  readonly at: number;
  readonly value: number;
}

/** Numbers of the first and the last third of the run. */
export interface Drift {
  readonly first: number;
  readonly last: number;
}

/** Numbers that the soak reports and does not judge. */
export class Measurements {
  /** Milliseconds, by minutes. */
  readonly latencies: Map<number, number[]> = new Map();
  /** Megabytes: of each life at the age of 15 seconds, of each life at its end, and of the folder. */
  readonly adult: Point[] = [];
  readonly peak: Point[] = [];
  readonly folder: Point[] = [];
  /** Megabytes of the longest life after each second. */
  longest: number[] = [];
  readonly #clock: ActiveClock;
  readonly #beginning: number;
  #lifeBegan = 0;

  constructor(clock: ActiveClock) {
    this.#clock = clock;
    this.#beginning = clock.now();
  }

  minutes(): number {
    return (this.#clock.now() - this.#beginning) / MILLIS_PER_MINUTE;
  }

  beat(latency: number): void {
    if (this.#clock.now() - this.#lifeBegan < COLD_MILLIS) return;
    const minute = Math.floor(this.minutes());
    const list = this.latencies.get(minute) ?? [];
    this.latencies.set(minute, list);
    if (list.length < LATENCIES_PER_MINUTE) list.push(latency);
  }

  /** Watches a life from the moment its load starts. @returns stops the watch */
  watch(server: Server, folder: string): () => void {
    const began = this.#clock.now();
    this.#lifeBegan = began;
    const memory: number[] = [];
    let [peak, folderAt, isAdult] = [Number.NaN, 0, false];
    const look = (): void => {
      const age = this.#clock.now() - began;
      const found = server.memory();
      if (found !== undefined) {
        memory.push(found.resident / 1e6);
        peak = found.peak / 1e6;
        if (age >= ADULT_MILLIS && !isAdult) this.adult.push({ at: this.minutes(), value: found.resident / 1e6 });
        isAdult ||= age >= ADULT_MILLIS;
      }
      if (age < folderAt) return;
      folderAt = age + FOLDER_EVERY_MILLIS;
      const at = this.minutes();
      void folderBytes(folder).then((bytes) => this.folder.push({ at, value: bytes / 1e6 }));
    };
    const timer = setInterval(look, SAMPLE_EVERY_MILLIS);
    return () => {
      clearInterval(timer);
      look();
      if (isAdult) this.peak.push({ at: this.minutes(), value: peak });
      if (memory.length > this.longest.length) this.longest = memory;
    };
  }

  /** A quantile of the heartbeats of a third of the run. */
  beatDrift(share: number): Drift {
    const points = [...this.latencies].flatMap(([minute, list]) =>
      list.map((value): Point => ({ at: minute + 0.5, value })),
    );
    return this.drift(points, (values) =>
      quantile(
        values.toSorted((a, b) => a - b),
        share,
      ),
    );
  }

  drift(points: readonly Point[], level: (values: readonly number[]) => number = median): Drift {
    const third = this.minutes() / 3;
    const valuesOf = (some: readonly Point[]): number[] => some.map(({ value }) => value);
    return {
      first: level(valuesOf(points.filter(({ at }) => at < third))),
      last: level(valuesOf(points.filter(({ at }) => at >= 2 * third))),
    };
  }

  /** Medians of the second and the last quarter of the longest life, in megabytes. */
  longestLife(): Drift & { readonly minutes: number } {
    const quarter = this.longest.length >> 2;
    return {
      minutes: (this.longest.length * SAMPLE_EVERY_MILLIS) / MILLIS_PER_MINUTE,
      first: median(this.longest.slice(quarter, 2 * quarter)),
      last: median(this.longest.slice(-quarter)),
    };
  }
}
