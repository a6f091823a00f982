import type { HostRequest } from "./request-context.js";

/** How often to check, in milliseconds: many apps are killed ten seconds after the signal to end. */
const CHECK_MILLIS = 500;

interface Listening {
  readonly listening?: boolean;
}

/** By what to call, the server that the request came from; `undefined` if only the process is known. */
const watched: Map<() => void, Listening | undefined> = new Map();
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Calls back when the app that serves a request stops listening. It then waits for its responses, so an endless one
 * must end. Checks regularly, because Node reports that a server closes only after its last connection.
 *
 * @returns stops watching
 */
export function onHostEnd({ node }: HostRequest, listener: () => void): () => void {
  const { server } = (node?.socket ?? {}) as { readonly server?: Listening };
  // Requests may also come from within the process, or over a connection that another listener accepted for the server.
  const ownServer = server?.listening ? server : undefined;
  if (ownServer === undefined && !isListening()) return () => {};
  watched.set(listener, ownServer);
  timer ??= setInterval(check, CHECK_MILLIS);
  (timer as { unref?(): void }).unref?.();
  return () => {
    watched.delete(listener);
    stopIfDone();
  };
}

function check(): void {
  const lasts = isListening();
  for (const [listener, server] of watched) {
    if (server?.listening ?? lasts) continue;
    watched.delete(listener);
    listener();
  }
  stopIfDone();
}

function stopIfDone(): void {
  if (watched.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

/** Whether the process has a server. Those of a cluster's workers are in another process. */
function isListening(): boolean {
  const { process } = globalThis as { readonly process?: Pick<NodeJS.Process, "getActiveResourcesInfo"> };
  return process?.getActiveResourcesInfo?.().includes("TCPServerWrap") ?? false;
}
