import { type ActivityClient, connect as connectTo, createClient } from "../../client/index.js";
import { createActivityServer } from "../../index.js";
import { createControlFetch } from "./send.js";
import type { Target } from "./target.js";

/** The connection of a command to a server. */
export interface Connection {
  readonly client: ActivityClient;
  close(): Promise<void>;
}

/** Connects to a running server, or creates one that closes the storage. */
export function connect(target: Target, { trashDays }: { readonly trashDays?: number | undefined } = {}): Connection {
  if (target.kind === "server") {
    const client = createClient({
      url: target.control.address,
      fetch: createControlFetch(target.control),
      ...NO_TIMEOUT,
    });
    return { client, close: async () => undefined };
  }
  const server = createActivityServer({ storage: target.storage, ...(trashDays === undefined ? {} : { trashDays }) });
  return { client: connectTo(server, NO_TIMEOUT), close: () => server.close() };
}

/** Commands may take long. */
const NO_TIMEOUT = { timeoutMillis: Number.POSITIVE_INFINITY };
