// Reports a measured process to its parent: CPU, memory, and for how long its event loop did not turn. Loaded before the
// measured program (--import), or imported by a script of the bench, which adds its own commands.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";

const RESOLUTION_MILLIS = 1;
const RSS_EVERY_MILLIS = 5;
/** A delay is measured between two ticks of a timer, so there must be one before and after a block. */
const TICKS_MILLIS = 10;

let delay;
let sampler;
let rssBefore = 0;
let rssPeak = 0;
let lifePeak = 0;

/** By name. A script of the bench adds more. */
export const commands = {
  async watch() {
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
  },
  /** Stops the watch. */
  async watched() {
    rssPeak = Math.max(rssPeak, process.memoryUsage.rss());
    await pause(TICKS_MILLIS);
    clearInterval(sampler);
    delay.disable();
    const { maxRSS } = process.resourceUsage();
    // The kernel also counts between two samples, but shows only a new maximum of the whole life.
    if (maxRSS > lifePeak) rssPeak = Math.max(rssPeak, maxRSS * 1024);
    const longest = Math.max(0, delay.max / 1e6 - RESOLUTION_MILLIS);
    return { "block ms": longest, "growth MB": (rssPeak - rssBefore) / 1e6 };
  },
};

if (process.send !== undefined) {
  process.on("message", async ({ command, argument }) => {
    try {
      process.send({ value: await commands[command](argument) });
    } catch (error) {
      process.send({ error: error.stack });
    }
  });
  process.on("disconnect", () => process.exit());
  // The channel must not keep a server alive that was told to stop.
  process.channel.unref();
}
