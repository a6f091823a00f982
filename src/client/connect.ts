import { IN_PROCESS } from "../util/in-process.js";
import { type ClientOptions, createClient } from "./client.js";
import type { ActivityClient } from "./client-types.js";

/** The part of a server in the same process that a client needs. */
export interface ConnectableServer {
  /** Responds to a request of the same program; never rejects. */
  readonly [IN_PROCESS]: (input: string, init?: RequestInit) => Promise<Response>;
}

/** Options of a client in the same process. It needs neither an address nor a key. */
export type ConnectOptions = Pick<ClientOptions, "timeoutMillis">;

/**
 * Creates a client of a server in the same process. It opens no socket, but has the responses and errors of HTTP. The
 * checks for outside callers (API key, host names, origins, `authorize`) do not apply; hooks do.
 *
 * @throws TypeError for invalid options
 */
export function connect(server: ConnectableServer, options: ConnectOptions = {}): ActivityClient {
  return createClient({
    ...options,
    url: "http://localhost",
    fetch: (url, init) => server[IN_PROCESS](url, init),
  });
}
