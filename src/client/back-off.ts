import { ActivityClientError } from "./errors.js";

const FIRST_MILLIS = 500;
const LONGEST_MILLIS = 30_000;

/**
 * How long to wait before the next try: doubled each time up to half a minute, and spread over the upper half, so that
 * the watchers of a machine do not all reconnect at once.
 *
 * @param attempt failed tries before this wait, starting with 0
 * @param random returns a number from 0 up to 1
 * @returns milliseconds
 */
export function backOff(attempt: number, random: () => number = Math.random): number {
  const most = Math.min(LONGEST_MILLIS, FIRST_MILLIS * 2 ** attempt);
  return most * (0.5 + random() / 2);
}

/** Waits. @throws ActivityClientError `ABORTED` as soon as the signal is aborted */
export function delay(millis: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new ActivityClientError("ABORTED", "the wait was aborted", { cause: signal?.reason }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, millis);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
