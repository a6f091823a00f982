import { LONGEST_WAIT } from "../deadline.js";

/**
 * Waits for a time, or until the signal is aborted. Never rejects.
 *
 * @param keepsAlive whether this keeps the process alive
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
    // Browsers return a number, which keeps nothing alive.
    if (!keepsAlive && typeof timer === "object") timer.unref();
    signal.addEventListener("abort", end, { once: true });
  });
}

/** Waits for a promise that never rejects, or until the signal is aborted. */
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

/** The caller's wait: a number of milliseconds, or until the signal is aborted. */
export type Wait = (millis: number, signal: AbortSignal) => Promise<void>;

/**
 * Waits with the caller's function. Never rejects: if it fails, a timer takes over. A rejection after the signal was
 * aborted, as in `node:timers/promises`, is a regular end.
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
    // Not fixable while the queue runs.
  }
  await sleep(millis, signal, keepsAlive);
}
