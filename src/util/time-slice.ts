import { unrefTimer } from "./unref-timer.js";

/** Lets other work of the event loop run in the middle of a long computation. */
export interface TimeSlice {
  /** Resolves at once while less than the slice is used up, otherwise after a turn of the event loop. */
  yield(): Promise<void> | undefined;
}

/** Maximum time for which one computation may block other work, in milliseconds. */
const SLICE_MILLIS = 2;

/** Starts to measure a long computation. @param millis length of a slice */
export function createTimeSlice(millis: number = SLICE_MILLIS): TimeSlice {
  let started = performance.now();
  return {
    yield() {
      if (performance.now() - started < millis) return undefined;
      return new Promise<void>((resolve) => {
        nextTurn(() => {
          started = performance.now();
          resolve();
        });
      });
    },
  };
}

/** Processes one item after another, and lets other work of the event loop run in between if that takes long. */
export async function inTurns<T, U>(items: Iterable<T>, work: (item: T) => U): Promise<U[]> {
  const timeSlice = createTimeSlice();
  const results: U[] = [];
  for (const item of items) {
    const pause = timeSlice.yield();
    // A few items do not need a pause.
    if (pause !== undefined) await pause;
    results.push(work(item));
  }
  return results;
}

/** Resolves after a turn of the event loop. */
export function turnOfLoop(): Promise<void> {
  return new Promise((resolve) => nextTurn(resolve));
}

/** Resolves after some milliseconds, or at once when the signal aborts. Does not keep the process alive. */
export function pause(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = unrefTimer(millis, end);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}

/** Computations waiting to continue, the longest wait first. */
const waiting: (() => void)[] = [];

/** Continues one computation in each turn of the event loop: several in one turn would add up their slices. */
function nextTurn(then: () => void): void {
  waiting.push(then);
  if (waiting.length === 1) afterPolling(runNext);
}

function runNext(): void {
  const then = waiting.shift();
  if (waiting.length > 0) afterPolling(runNext);
  then?.();
}

/** Calls back in a later turn of the event loop, after pending input. */
export function afterPolling(then: () => void): void {
  // Outside Node there is no setImmediate; a timer fires after pending input as well, only later.
  if (typeof globalThis.setImmediate === "function") globalThis.setImmediate(then);
  else setTimeout(then, 0);
}
