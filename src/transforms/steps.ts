/**
 * A computation that pauses at each `yield`, so that its caller can run other work or stop. At most about `STEP_EVENTS`
 * events between two pauses, fewer if each event is expensive.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Events between two pauses: well below a millisecond of work. */
export const STEP_EVENTS = 4_096;

/** Runs to completion without pauses. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

// Loops over events are in functions that the generators call: in a generator's own body, V8 allocates numbers on the
// heap, which makes a pass twice as slow.

/** Calls `work` repeatedly, with pauses in between, as long as it returns true. */
export function* repeatWhile(work: () => boolean): Steps<void> {
  while (work()) yield;
}

/** Calls `work` for all indexes below `length`, one slice at a time, with pauses in between. */
export function* forEachSlice(length: number, work: (from: number, to: number) => void): Steps<void> {
  for (let from = 0; from < length; from += STEP_EVENTS) {
    if (from > 0) yield;
    work(from, Math.min(from + STEP_EVENTS, length));
  }
}

/** Whether `test` returns true for all slices of the indexes below `length`. Stops at the first false. */
export function* everySlice(length: number, test: (from: number, to: number) => boolean): Steps<boolean> {
  for (let from = 0; from < length; from += STEP_EVENTS) {
    if (from > 0) yield;
    if (!test(from, Math.min(from + STEP_EVENTS, length))) return false;
  }
  return true;
}
