import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How often the process is checked. */
const CHECK_MILLIS = 5_000;
/** Checks without much work before a collection: caches empty themselves after 15 to 30 seconds without use. */
const IDLE_CHECKS = 7;
/** Part of a core that counts as idle: heartbeats of several watchers need less. */
const IDLE_CPU = 0.05;
/** Growth since the last collection below which the pause does not pay off. */
const MIN_GROWTH_BYTES = 48 * 1024 * 1024;

/** What the collector sees and does. */
export interface ProcessMemory {
  residentBytes(): number;
  /** Processor time since the start, in microseconds. */
  cpuMicros(): number;
  collect(): void;
}

/**
 * Collects garbage after busy times: V8 does not collect in an idle process, so that it would keep the memory of its
 * emptied caches.
 */
export class IdleCollector {
  readonly #process: ProcessMemory;
  #cpuMicros: number;
  #idleChecks = 0;
  #collectedBytes: number;

  constructor(process: ProcessMemory) {
    this.#process = process;
    this.#cpuMicros = process.cpuMicros();
    this.#collectedBytes = process.residentBytes();
  }

  /** Call it every `CHECK_MILLIS`. */
  check(): void {
    const before = this.#cpuMicros;
    this.#cpuMicros = this.#process.cpuMicros();
    const isIdle = this.#cpuMicros - before < CHECK_MILLIS * 1000 * IDLE_CPU;
    this.#idleChecks = isIdle ? this.#idleChecks + 1 : 0;
    if (this.#idleChecks !== IDLE_CHECKS) return;
    if (this.#process.residentBytes() - this.#collectedBytes < MIN_GROWTH_BYTES) return;
    this.#process.collect();
    this.#collectedBytes = this.#process.residentBytes();
  }
}

/** Starts a collector for this process. Does not keep it alive. @returns stops it */
export function collectWhenIdle(): () => void {
  const collector = new IdleCollector({
    residentBytes: () => process.memoryUsage.rss(),
    cpuMicros() {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
    collect: collectGarbage,
  });
  const timer = setInterval(() => collector.check(), CHECK_MILLIS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Node only offers `gc` with a flag, which must not be required of users. V8 keeps the pages that a first collection
 * empties and returns them in a second one, for `quiet MB` of the rows `memory/reads`.
 */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc !== "function") return;
  gc();
  gc();
}
