/**
 * Does something at once, now and then, and whenever the page is shown again; nothing while nobody looks.
 *
 * @param round may reject; aborted when the next one begins
 * @param pause milliseconds until the next round, asked after each
 * @returns ends it
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
    // Whoever shows what comes of it says what failed.
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
