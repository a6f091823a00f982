import type { Engine } from "./engine.js";
import { Sleeper } from "./sleeper.js";
import { verifySegments } from "./verify.js";

/** Idle time before a segment is checked, in milliseconds. */
const IDLE_MILLIS = 2_000;
/** Delay between two segments. */
const STEP_MILLIS = 50;
/** Delay between two scrubs. */
const INTERVAL_MILLIS = 24 * 60 * 60 * 1000;
/** Delay between the opening and the first scrub. */
const FIRST_MILLIS = 60 * 1000;

/**
 * Checks all segments slowly while the storage is idle, to find damage before the data are needed. Logs problems and
 * adds them to the storage's health.
 *
 * @returns stops the scrub
 */
export function startScrub(engine: Engine): () => void {
  const sleeper = new Sleeper();
  let isStopped = false;

  async function waitUntilIdle(): Promise<boolean> {
    await sleeper.sleep(STEP_MILLIS);
    while (!isStopped && performance.now() - engine.lastUse < IDLE_MILLIS) await sleeper.sleep(IDLE_MILLIS);
    return !isStopped;
  }

  async function scrub(): Promise<void> {
    try {
      const report = await verifySegments(engine, undefined, waitUntilIdle);
      if (report !== undefined) engine.scrubbed(report);
    } catch (thrown) {
      if (!isStopped) engine.logger.warn(`${engine.store.name}: the scrub failed: ${String(thrown)}`);
    }
  }

  async function scrubRepeatedly(): Promise<void> {
    for (let millis = FIRST_MILLIS; !isStopped; millis = INTERVAL_MILLIS) {
      await sleeper.sleep(millis);
      if (!isStopped) await scrub();
    }
  }

  void scrubRepeatedly();
  return () => {
    isStopped = true;
    sleeper.wake();
  };
}
