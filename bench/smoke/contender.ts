import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { Measurement } from "../bench.js";
import { Connection, type Outgoing } from "../client/connection.js";
import { SETTLE_MILLIS } from "../query/measure.js";
import { Launched, type LauncherOptions } from "../scale/launched.js";
import type { LoadedServer } from "../servers.js";
import { type BeatClock, beatClock } from "../workloads/heartbeats.js";

/** A launcher of some checkout on a data folder of its own. */
export class Contender implements LoadedServer {
  readonly clock: BeatClock = beatClock();
  readonly #folder: string;
  readonly #options: LauncherOptions;
  #launched: Launched;

  private constructor(folder: string, options: LauncherOptions, launched: Launched) {
    this.#folder = folder;
    this.#options = options;
    this.#launched = launched;
  }

  /** Starts it on an empty folder and fills that. */
  static async start(
    folder: string,
    options: LauncherOptions,
    fill: (contender: Contender) => Promise<void>,
  ): Promise<Contender> {
    const contender = new Contender(folder, options, await Launched.launcher(folder, options));
    try {
      await fill(contender);
      // What the filling left to do in the background would slow the first row down.
      await pause(SETTLE_MILLIS);
      return contender;
    } catch (error) {
      await contender.stop();
      throw error;
    }
  }

  get port(): number {
    return this.#launched.port;
  }

  warmUpSeconds(seconds: number): number {
    return this.#launched.warmUpSeconds(seconds);
  }

  cpu(): Promise<number> {
    return this.#launched.cpu();
  }

  /** Ends the process and starts it anew. @returns the time to its first answer */
  async restart(): Promise<Measurement> {
    await this.#launched.stop();
    this.#launched = await Launched.launcher(this.#folder, this.#options);
    return once(this.#launched.firstAnswerMillis, await this.cpu());
  }

  /** Sends one request on a new connection. @returns the time to the last byte of the answer */
  async ask(request: Outgoing): Promise<Measurement> {
    const connection = await Connection.open(this.port);
    try {
      const before = await this.cpu();
      const started = performance.now();
      await connection.exchange(request);
      return once(performance.now() - started, (await this.cpu()) - before);
    } finally {
      connection.close();
    }
  }

  stop(): Promise<void> {
    return this.#launched.stop();
  }
}

/** The measurement of something that happened a single time. */
export function once(millis: number, cpuMicros: number): Measurement {
  return { rate: 1000 / millis, cpuMicros, p50Millis: millis, p99Millis: millis };
}
