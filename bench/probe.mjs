// What a measured process tells its parent: CPU, memory, and how long its event loop was blocked.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";

const RESOLUTION_MILLIS = 1;
const RSS_EVERY_MILLIS = 5;
/** The delay is measured from one tick of a timer to the next: there must be one on both sides of a block. */
const TICKS_MILLIS = 10;

let delay;
let sampler;
let rssBefore = 0;
let rssPeak = 0;
let lifePeak = 0;

/** Begins to watch the event loop and the memory of this process. */
export async function startWatch() {
  globalThis.gc();
  delay = monitorEventLoopDelay({ resolution: RESOLUTION_MILLIS });
  delay.enable();
  rssBefore = process.memoryUsage.rss();
  rssPeak = rssBefore;
  lifePeak = process.resourceUsage().maxRSS;
  sampler = setInterval(() => {
    rssPeak = Math.max(rssPeak, process.memoryUsage.rss());
  }, RSS_EVERY_MILLIS);
  await pause(TICKS_MILLIS);
}

/** Ends the watch: longest block in milliseconds, memory before and at its peak in bytes. */
export async function stopWatch() {
  rssPeak = Math.max(rssPeak, process.memoryUsage.rss());
  await pause(TICKS_MILLIS);
  clearInterval(sampler);
  delay.disable();
  const { maxRSS } = process.resourceUsage();
  // The kernel saw what happened between two samples, but only a new record of the whole life shows.
  if (maxRSS > lifePeak) rssPeak = Math.max(rssPeak, maxRSS * 1024);
  const longestBlockMillis = Math.max(0, delay.max / 1e6 - RESOLUTION_MILLIS);
  return { longestBlockMillis, rssBefore, rssPeak };
}

const commands = {
  /** Microseconds of CPU so far, all threads. */
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  watch: startWatch,
  watched: stopWatch,
};

/**
 * Answers commands of the parent, one at a time, and ends with it.
 *
 * @param more further commands by name; `close` also runs before the end
 * @param greeting first message, sent when everything is ready
 */
export function answerParent(more, greeting) {
  const known = { ...commands, ...more };
  process.on("message", async ({ command, argument }) => {
    try {
      process.send({ value: await known[command](argument) });
    } catch (error) {
      process.send({ error: error.stack });
    }
  });
  process.on("disconnect", async () => {
    await known.close?.();
    process.exit();
  });
  process.send({ value: greeting });
}
