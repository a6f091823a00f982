import { type Signal, signal } from "@preact/signals";

/** Increases when the server responds again, and when a key was entered, so that failed requests can be retried. */
export const recoveries: Signal<number> = signal(0);

/**
 * Loads a value, and loads it again if a failure arrives after the server is back or a key was entered. The page
 * retries only what has failed before.
 */
export async function loadCurrent<T>(load: () => Promise<T>): Promise<T> {
  const started = recoveries.peek();
  try {
    return await load();
  } catch (error) {
    if (recoveries.peek() === started) throw error;
    return loadCurrent(load);
  }
}
