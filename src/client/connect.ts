import { IN_PROCESS } from "../util/in-process.js";
import { type ClientOptions, createClient } from "./client.js";
import type { ActivityClient } from "./client-types.js";

/** What a client needs of a server in the same process. */
export interface ConnectableServer {
  /** Responds to a request of the same program; never rejects. */
  readonly [IN_PROCESS]: (input: string, init?: RequestInit) => Promise<Response>;
}

/** How a client in the same process calls its server. There is no need for an address or a key. */
export type ConnectOptions = Pick<ClientOptions, "timeoutMillis">;

/**
 * Makes a client of a server in the same process. No socket is opened, yet responses and errors are those of HTTP. What
 * guards the server from outside (API key, host names, origins, `authorize`) does not stand between it and its own
 * program; hooks do.
 *
 * @throws TypeError for options that cannot work
 */
export function connect(server: ConnectableServer, options: ConnectOptions = {}): ActivityClient {
  return createClient({
    ...options,
    url: "http://localhost",
    fetch: (url, init) => server[IN_PROCESS](url, init),
  });
}
