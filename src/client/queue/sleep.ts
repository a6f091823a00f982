import { LONGEST_WAIT } from "../deadline.js";

/**
 * Waits for a time, or until the signal is aborted. Never rejects.
 *
 * @param keepsAlive whether the process has to go on for this
 */
export function sleep(millis: number, signal: AbortSignal, keepsAlive: boolean): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(millis, LONGEST_WAIT));
    // Browsers give a number, which keeps nothing alive.
    if (!keepsAlive && typeof timer === "object") timer.unref();
    signal.addEventListener("abort", end, { once: true });
  });
}

/** Waits for a promise that never rejects, but no longer than until the signal is aborted. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve) => {
    const end = (): void => resolve(undefined);
    signal.addEventListener("abort", end, { once: true });
    promise.then((value) => {
      signal.removeEventListener("abort", end);
      resolve(value);
    });
  });
}

/** A wait of the caller's: for so many milliseconds, or until the signal is aborted. */
export type Wait = (millis: number, signal: AbortSignal) => Promise<void>;

/**
 * Waits as the caller wants. Never rejects: where the caller's wait fails, a timer takes over. One that rejects when
 * the signal is aborted, as those of `node:timers/promises` do, has ended as it should.
 */
export async function safeWait(
  wait: Wait | undefined,
  millis: number,
  signal: AbortSignal,
  keepsAlive: boolean,
): Promise<void> {
  try {
    if (wait !== undefined) return await wait(millis, signal);
  } catch {
    // Nobody can mend it while the queue runs.
  }
  await sleep(millis, signal, keepsAlive);
}
