/**
 * Runs work immediately, periodically, and whenever the page becomes visible; paused while it is hidden.
 *
 * @param round may reject; aborted when the next one starts
 * @param pause milliseconds until the next round, called before and after each pause; `undefined` ends the polling
 *   until the page becomes visible again
 * @returns stops it
 */
export function pollWhileShown(
  round: (signal: AbortSignal) => Promise<void>,
  pause: () => number | undefined,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let controller = new AbortController();
  let isOver = false;

  async function next(): Promise<void> {
    clearTimeout(timer);
    controller.abort();
    controller = new AbortController();
    const { signal } = controller;
    // Callers show failures themselves.
    await round(signal).catch(() => {});
    const millis = pause();
    if (signal.aborted || isOver || document.hidden || millis === undefined) return;
    timer = setTimeout(() => pause() !== undefined && next(), millis);
  }

  function onShown(): void {
    if (document.hidden) clearTimeout(timer);
    else void next();
  }

  document.addEventListener("visibilitychange", onShown);
  if (!document.hidden) void next();
  return () => {
    isOver = true;
    clearTimeout(timer);
    controller.abort();
    document.removeEventListener("visibilitychange", onShown);
  };
}
