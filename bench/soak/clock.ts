import { setTimeout as pause } from "node:timers/promises";

/** A timer that comes later than this was held up: the process was stopped, and the server with it. */
const LONGEST_GAP_MILLIS = 1000;
const LARGEST_WORK_SHARE = 0.2;
const LOOK_EVERY_MILLIS = 100;

/** Work of this process that takes longer than this delays answers that are under way. */
const SHORT_WORK_MILLIS = 2;

/** Time in which this process runs. A stretch in which it was stopped (SIGSTOP) and continued does not count. */
export class ActiveClock {
  /** How often it was stopped. What was under way then has no latency. */
  pauses = 0;
  /** How often this process was busy for long. Answers that came meanwhile were not seen in time. */
  blocks = 0;
  #last: number = performance.now();
  #lastCpu: NodeJS.CpuUsage = process.cpuUsage();
  #pausedMillis = 0;
  readonly #timer: NodeJS.Timeout = setInterval(() => this.now(), LOOK_EVERY_MILLIS);

  /** Milliseconds, from an arbitrary beginning. */
  now(): number {
    const now = performance.now();
    const gap = now - this.#last;
    const cpu = process.cpuUsage();
    const workedMillis = (cpu.user + cpu.system - this.#lastCpu.user - this.#lastCpu.system) / 1000;
    this.#last = now;
    this.#lastCpu = cpu;
    // Who was stopped has done nothing; a long check has.
    if (gap > LONGEST_GAP_MILLIS && workedMillis < gap * LARGEST_WORK_SHARE) {
      this.pauses++;
      this.#pausedMillis += gap;
    }
    return now - this.#pausedMillis;
  }

  /** Does something that may take long. */
  work<Value>(task: () => Value): Value {
    const since = performance.now();
    try {
      return task();
    } finally {
      if (performance.now() - since > SHORT_WORK_MILLIS) this.blocks++;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

/** Waits for some milliseconds. Ends early with `signal`. */
export async function sleep(millis: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await pause(millis, undefined, { signal }).catch((error: Error) => {
    if (error.name !== "AbortError") throw error;
  });
}
