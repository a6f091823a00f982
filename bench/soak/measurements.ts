import type { ActiveClock } from "./clock.js";
import { Histogram, median, slope } from "./numbers.js";
import { folderBytes, type Server } from "./server.js";

const WINDOW_MILLIS = 60_000;
/** A process that has compiled nothing yet is slow; its first beats are counted on their own. */
const COLD_MILLIS = 5_000;
const SAMPLE_EVERY_MILLIS = 1000;
const FOLDER_EVERY_MILLIS = 10_000;
/** The age at which lives are compared with each other. */
const ADULT_MILLIS = 15_000;
const MILLIS_PER_MINUTE = 60_000;

/** Beats of a minute of the run. */
export interface Window {
  /** Minutes since the beginning, whole ones. */
  readonly at: number;
  readonly beats: Histogram;
}

/** One life of the server. */
export interface Life {
  /** Minutes since the beginning. */
  readonly at: number;
  readonly startMillis: number;
  readonly verifySeconds: number;
  seconds: number;
  end: string;
  /** MB at the age of 15 seconds under load. */
  adultMegabytes: number | undefined;
  peakMegabytes: number | undefined;
  /** Minutes of age and MB. */
  readonly memory: (readonly [age: number, megabytes: number])[];
}

/** A third of the run against the last one. */
export interface Drift {
  readonly first: number;
  readonly last: number;
}

/** What is measured beside the checks. */
export class Measurements {
  readonly windows: Window[] = [];
  readonly cold: Histogram = new Histogram();
  readonly lives: Life[] = [];
  /** Minutes and MB. */
  readonly folder: (readonly [at: number, megabytes: number])[] = [];
  serverSeconds = 0;
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
    const now = this.#clock.now();
    if (now - this.#lifeBegan < COLD_MILLIS) {
      this.cold.add(latency);
      return;
    }
    const index = Math.floor((now - this.#beginning) / WINDOW_MILLIS);
    let window = this.windows.at(-1);
    if (window === undefined || window.at !== index) {
      window = { at: index, beats: new Histogram() };
      this.windows.push(window);
    }
    window.beats.add(latency);
  }

  /** Watches a life from the moment its load begins. @returns what ends the watching */
  watch(server: Server, folder: string, life: Pick<Life, "startMillis" | "verifySeconds">): (end: string) => void {
    const began = this.#clock.now();
    this.#lifeBegan = began;
    const memory: Life["memory"] = [];
    const kept: Life = {
      ...life,
      at: this.minutes(),
      seconds: 0,
      end: "",
      adultMegabytes: undefined,
      peakMegabytes: undefined,
      memory,
    };
    this.lives.push(kept);
    let folderAt = 0;
    let cpu = 0;
    const look = (): void => {
      const age = this.#clock.now() - began;
      const found = server.memory();
      cpu = server.cpuSeconds() ?? cpu;
      if (found !== undefined && !Number.isNaN(found.resident)) {
        memory.push([age / MILLIS_PER_MINUTE, found.resident]);
        kept.peakMegabytes = found.peak;
        if (age >= ADULT_MILLIS) kept.adultMegabytes ??= found.resident;
      }
      if (age < folderAt) return;
      folderAt = age + FOLDER_EVERY_MILLIS;
      const at = this.minutes();
      void folderBytes(folder).then((bytes) => this.folder.push([at, bytes / 1e6]));
    };
    const timer = setInterval(look, SAMPLE_EVERY_MILLIS);
    return (end) => {
      clearInterval(timer);
      look();
      kept.end = end;
      kept.seconds = (this.#clock.now() - began) / 1000;
      this.serverSeconds += cpu;
    };
  }

  /** A quantile of the beats of the first and the last third of the run. */
  beatDrift(share: number): Drift {
    // A window belongs to where its middle lies.
    const windows = this.windows.map(({ at, beats }) => ({ at: at + 0.5, beats }));
    return this.#thirds(windows, (third) => {
      const all = new Histogram();
      for (const { beats } of third) all.merge(beats);
      return all.quantile(share);
    });
  }

  /** Median over the lives of the first and the last third of the run, in MB. */
  memoryDrift(field: "adultMegabytes" | "peakMegabytes"): Drift {
    const grown = this.lives.filter(({ adultMegabytes }) => adultMegabytes !== undefined);
    return this.#thirds(grown, (lives) => median(lives.flatMap((life) => life[field] ?? [])));
  }

  folderDrift(): Drift {
    const points = this.folder.map(([at, megabytes]) => ({ at, megabytes }));
    return this.#thirds(points, (third) => median(third.map(({ megabytes }) => megabytes)));
  }

  /** The longest life, and how its memory went: medians of its second and last quarter, and MB a minute from there. */
  longestLife(): { readonly minutes: number; readonly early: number; readonly late: number; readonly slope: number } {
    const life = this.lives.toSorted((a, b) => b.seconds - a.seconds)[0];
    const memory = life?.memory ?? [];
    const quarter = memory.length >> 2;
    const level = (from: number, to: number): number =>
      median(memory.slice(from, to).map(([, megabytes]) => megabytes));
    return {
      minutes: (life?.seconds ?? 0) / 60,
      early: level(quarter, 2 * quarter),
      late: level(memory.length - quarter, memory.length),
      slope: slope(memory.slice(quarter)),
    };
  }

  #thirds<Item extends { readonly at: number }>(
    items: readonly Item[],
    level: (items: readonly Item[]) => number,
  ): Drift {
    const third = this.minutes() / 3;
    const first = items.filter(({ at }) => at < third);
    const last = items.filter(({ at }) => at >= 2 * third);
    return { first: level(first), last: level(last) };
  }
}
