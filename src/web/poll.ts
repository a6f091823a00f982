/**
 * Runs work immediately, periodically, and whenever the page becomes visible; paused while it is hidden.
 *
 * @param round may reject; aborted when the next one starts
 * @param pause milliseconds until the next round, called after each
 * @returns stops it
 */
export function pollWhileShown(round: (signal: AbortSignal) => Promise<void>, pause: () => number): () => void {
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
    if (!signal.aborted && !isOver && !document.hidden) timer = setTimeout(next, pause());
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
