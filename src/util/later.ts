const parts: Set<() => Promise<unknown>> = new Set();
/** When the first requests after a start are answered. */
const SOON_MILLIS = 1000;

/** Names a part of the program that a start need not wait for. @param load imports it; called when it is needed */
export function later<Part>(load: () => Promise<Part>): () => Promise<Part> {
  parts.add(load);
  return load;
}

/**
 * Loads these parts when a start is over, so that the first who needs one does not wait, and finds the file of this
 * version. Does not keep the process alive.
 *
 * @returns loads no more, and waits for parts that are being loaded: a test runner may remove the modules afterwards
 */
export function loadSoon(): () => Promise<void> {
  let loading: Promise<unknown> | undefined;
  const timer = setTimeout(() => {
    // Whoever needs a part that cannot be loaded is told so.
    loading = Promise.allSettled(Array.from(parts, (load) => load()));
  }, SOON_MILLIS);
  // Outside Node it is a number.
  if (typeof timer === "object") timer.unref();
  return async () => {
    clearTimeout(timer);
    await loading;
  };
}
