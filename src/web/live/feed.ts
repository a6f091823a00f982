// The live feed (docs/guides/feed.md) over one connection per browser: the tab with the lock connects, and passes
// the messages to the others.
import { effect, type Signal, signal, untracked } from "@preact/signals";
import { createClient } from "../../client/client.js";
import type { ClientFeedMessage } from "../../client/client-types.js";
import { sha256 } from "../../util/sha256.js";
import { apiBase, credentials, missingCredentials, send } from "../api.js";
import { recoveries } from "../recoveries.js";
import { session } from "../session.js";
import { delayLoads } from "../shared-load.js";

/** Whether changes arrive by themselves. If not, views poll. */
export const isFeedAlive: Signal<boolean> = signal(false);

/** Increases when changes no longer arrive by themselves. */
export const feedLosses: Signal<number> = signal(0);

effect(() => {
  const isAlive = isFeedAlive.value;
  return () => void (isAlive && feedLosses.value++);
});

/** A connection without a message or comment for this long is dead. The server sends a comment every 15 s. */
const SILENCE = 40_000;

/** How long the first view waits for the feed, in milliseconds: a proxy may hold its messages back. */
const MAX_WAIT = 500;

/** What tabs tell each other. */
type Note =
  | { readonly kind: "ask" }
  | { readonly kind: "state"; readonly isAlive: boolean }
  | { readonly kind: "message"; readonly message: ClientFeedMessage };

const listeners: Set<(message: ClientFeedMessage) => void> = new Set();

/** Calls back for each message. @returns stops it */
export function onFeed(listener: (message: ClientFeedMessage) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Cursor of the last message, so that nothing is missed when another tab takes over. */
let cursor: string | undefined;

function take(message: ClientFeedMessage): void {
  cursor = message.cursor;
  emit(message);
}

/** Calls back as if a message had arrived. */
export function emit(message: ClientFeedMessage): void {
  for (const listener of listeners) listener(message);
}

/** Follows the feed with the current credentials, and again with others, and when the server is back. */
export function followFeed(): void {
  let leave = (): void => {};
  let joined: string | undefined;
  let start = (): void => {};
  delayLoads(
    new Promise((resolve) => {
      start = resolve;
      setTimeout(start, MAX_WAIT);
    }),
  );
  effect(() => void (isFeedAlive.value && start()));
  const onRefused = (): void => {
    joined = undefined;
    start();
  };
  effect(() => {
    void [session.value, recoveries.value];
    const wanted = missingCredentials.value === undefined ? credentials() : undefined;
    untracked(() => {
      if (wanted === joined) return;
      leave();
      joined = wanted;
      if (wanted !== undefined) leave = join(wanted, onRefused);
    });
  });
}

/**
 * Joins the tabs with the same credentials: what another key may read is not known here.
 *
 * @param onRefused called when the server refuses the feed; the next recovery joins again
 */
function join(same: string, onRefused: () => void): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  // The name of a lock is public within the origin.
  const channel = new BroadcastChannel(nameOf("channel", same));
  let isLeader = false;
  const tell = (note: Note): void => void (signal.aborted || channel.postMessage(note));

  function show(isAlive: boolean): void {
    if (signal.aborted) return;
    isFeedAlive.value = isAlive;
    if (isLeader) tell({ kind: "state", isAlive });
  }

  channel.onmessage = ({ data }: MessageEvent<Note>) => {
    // Without locks, each tab has a connection of its own.
    if (navigator.locks === undefined) return;
    if (data.kind === "message") take(data.message);
    else if (data.kind === "state") isFeedAlive.value = data.isAlive;
    else if (isLeader) show(isFeedAlive.peek());
  };

  async function lead(stop: AbortSignal): Promise<void> {
    isLeader = true;
    show(false);
    const { feed } = createClient({
      url: apiBase,
      fetch: send,
      onRequest: () => show(false),
      // A proxy may hold the first message back.
      onResponse: ({ status }) => show(status === 200 && cursor !== undefined),
    });
    try {
      for await (const message of feed({ after: cursor }, { signal: stop, timeoutMillis: SILENCE })) {
        if (stop.aborted) break;
        if (!isFeedAlive.peek()) show(true);
        take(message);
        tell({ kind: "message", message });
      }
    } catch {
      // Views show failures.
      if (!stop.aborted) onRefused();
    }
    if (!stop.aborted) show(false);
    isLeader = false;
  }

  tell({ kind: "ask" });
  if (navigator.locks === undefined) leadWhileShown(lead, signal);
  else navigator.locks.request(nameOf("lock", same), { signal }, () => lead(signal)).catch(() => {});
  return () => {
    if (signal.aborted) return;
    isFeedAlive.value = false;
    cursor = undefined;
    ending.abort();
    channel.close();
  };
}

/** Browsers have locks only on this machine and with TLS. Elsewhere, hidden tabs must not use up the connections. */
function leadWhileShown(lead: (stop: AbortSignal) => Promise<void>, signal: AbortSignal): void {
  let current = new AbortController();
  const start = (): void => {
    current.abort();
    current = new AbortController();
    isFeedAlive.value = false;
    if (!document.hidden) void lead(current.signal);
  };
  document.addEventListener("visibilitychange", start, { signal });
  signal.addEventListener("abort", () => current.abort());
  start();
}

function nameOf(use: string, same: string): string {
  const digest = sha256();
  digest.update(new TextEncoder().encode(`${use} ${apiBase} ${same}`));
  return `activity-server.feed ${digest.hex()}`;
}
