/**
 * A computation that pauses now and then, at each `yield`, so that whoever drives it can let others run, or give up by
 * not going on. Between two pauses lie at most about `STEP_EVENTS` events, less where each of them costs more.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Events from one pause to the next: well below a millisecond of work. */
export const STEP_EVENTS = 4_096;

/** Runs to the end without a pause. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

// The loops over events stand in functions that the generators call: in the body of a generator itself V8 keeps
// numbers on the heap, which makes a pass twice as slow.

/** Calls `work` again and again, with a pause in between, as long as it answers that something is left to do. */
export function* whileAny(work: () => boolean): Steps<void> {
  while (work()) yield;
}

/** Calls `work` for all indexes below `length`, a slice at a time, with a pause in between. */
export function* inSlices(length: number, work: (from: number, to: number) => void): Steps<void> {
  for (let from = 0; from < length; from += STEP_EVENTS) {
    if (from > 0) yield;
    work(from, Math.min(from + STEP_EVENTS, length));
  }
}

/** Whether `test` holds for all slices of the indexes below `length`; ends with the first for which it does not. */
export function* holdsInSlices(length: number, test: (from: number, to: number) => boolean): Steps<boolean> {
  for (let from = 0; from < length; from += STEP_EVENTS) {
    if (from > 0) yield;
    if (!test(from, Math.min(from + STEP_EVENTS, length))) return false;
  }
  return true;
}
