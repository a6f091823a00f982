// Reloads what changes on the server, by the messages of the live feed.
import type { ClientFeedMessage } from "../../client/client-types.js";
import { onFeed } from "./feed.js";

/** Whether everything must be read again. At the start of the feed, seen.ts finds what has changed before. */
export function isReset(message: ClientFeedMessage): boolean {
  return message.type === "reset" && message.reason !== "start";
}

/** Messages that arrive together belong to one reload, in milliseconds. */
const TOGETHER = 50;
/** Time between the starts of two reloads, in milliseconds. */
const PAUSE = 700;
/** Reloads that take longer than the pause take at most this share of the time. */
const MAX_SHARE = 1 / 3;

/**
 * Reloads after messages that concern something; not while the page is hidden, but as soon as it is shown again.
 *
 * @param reload one at a time
 * @returns stops it
 */
export function reloadOnChanges(
  concerns: (message: ClientFeedMessage) => boolean,
  reload: () => Promise<unknown>,
): () => void {
  let isDue = false;
  let isRunning = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let free = 0;

  async function run(): Promise<void> {
    timer = undefined;
    if (document.hidden) return;
    isDue = false;
    isRunning = true;
    const start = performance.now();
    await reload().catch(() => {});
    isRunning = false;
    const took = performance.now() - start;
    free = start + (took > PAUSE ? took / MAX_SHARE : PAUSE);
    if (isDue) schedule();
  }

  function schedule(): void {
    isDue = true;
    if (isRunning || document.hidden) return;
    timer ??= setTimeout(run, Math.max(TOGETHER, free - performance.now()));
  }

  const onShown = (): void => {
    if (isDue) schedule();
  };
  const stopFollowing = onFeed((message) => {
    if (concerns(message)) schedule();
  });
  document.addEventListener("visibilitychange", onShown);
  return () => {
    isDue = false;
    clearTimeout(timer);
    stopFollowing();
    document.removeEventListener("visibilitychange", onShown);
  };
}
