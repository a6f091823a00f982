import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** What is looked at, each time. */
export interface Usage {
  /** Milliseconds of processor time since the start. */
  readonly cpuMillis: number;
  /** Resident memory, in bytes. */
  readonly residentBytes: number;
}

/** Time between two looks, in milliseconds. */
const LOOK_MILLIS = 5000;
/** A process is quiet below this share of a processor: watchers report, nobody looks at anything. */
const QUIET_SHARE = 0.05;
/**
 * After so many quiet looks the garbage is collected. All caches have let go by the first one. What a collection frees
 * goes back to the system by the next one.
 */
const COLLECTING_LOOKS: ReadonlySet<number> = new Set([7, 8, 9]);
/** Below this it is not worth a pause of some 30 ms. */
const SMALL_BYTES = 100e6;

/**
 * Decides when to collect garbage. An idle process makes none, so it never collects either, and would keep whatever
 * the last busy hour took.
 *
 * @returns to be called at equal intervals; the result says whether to collect now
 */
export function quietCollector(first: Usage, intervalMillis: number): (usage: Usage) => boolean {
  let cpuMillis = first.cpuMillis;
  // Nothing is to be gained from a process that has only just started.
  let quietLooks = Math.max(...COLLECTING_LOOKS);
  return (usage) => {
    const isQuiet = usage.cpuMillis - cpuMillis < QUIET_SHARE * intervalMillis;
    cpuMillis = usage.cpuMillis;
    quietLooks = isQuiet ? quietLooks + 1 : 0;
    return COLLECTING_LOOKS.has(quietLooks) && usage.residentBytes > SMALL_BYTES;
  };
}

/** Gives memory back to the system while nothing is going on. @returns ends it */
export function giveMemoryBack(): () => void {
  const isDue = quietCollector(usageNow(), LOOK_MILLIS);
  const end = (): void => clearInterval(timer);
  const timer = setInterval(() => {
    if (isDue(usageNow()) && !collectGarbage()) end();
  }, LOOK_MILLIS);
  timer.unref();
  return end;
}

function usageNow(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMillis: (user + system) / 1000, residentBytes: process.memoryUsage.rss() };
}

/** @returns whether the engine lets itself be told to */
export function collectGarbage(): boolean {
  try {
    // The collector is there for contexts that are made after the flag is set.
    setFlagsFromString("--expose-gc");
    (runInNewContext("gc") as () => void)();
    return true;
  } catch {
    return false;
  }
}
