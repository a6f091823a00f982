import { unrefTimer } from "./unref-timer.js";

const parts: Set<() => Promise<unknown>> = new Set();
/** By this time the first requests after a start have been served. */
const DELAY_MILLIS = 1000;

/** Registers a module that a start does not have to wait for. @param load imports it; called when it is needed */
export function deferModule<Part>(load: () => Promise<Part>): () => Promise<Part> {
  parts.add(load);
  return load;
}

/**
 * Loads the registered modules once a start is over, so that the first caller does not wait, and gets the file of this
 * version. Does not keep the process alive.
 *
 * @returns stops loading, and waits for modules in progress: a test runner may remove them afterwards
 */
export function loadDeferredModules(): () => Promise<void> {
  let loading: Promise<unknown> | undefined;
  const timer = unrefTimer(DELAY_MILLIS, () => {
    // A module that cannot be loaded fails for its first caller.
    loading = Promise.allSettled(Array.from(parts, (load) => load()));
  });
  return async () => {
    clearTimeout(timer);
    await loading;
  };
}
