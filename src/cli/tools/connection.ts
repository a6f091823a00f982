import { type ActivityClient, connect as connectTo, createClient } from "../../client/index.js";
import { createActivityServer } from "../../index.js";
import { createControlFetch } from "./send.js";
import type { Target } from "./target.js";

/** What a tool asks, and lets go of at the end. */
export interface Connection {
  readonly client: ActivityClient;
  close(): Promise<void>;
}

/** Asks a running server, or one that is made for the storage and closes it. */
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

/** What a tool asks for may take long. */
const NO_TIMEOUT = { timeoutMillis: Number.POSITIVE_INFINITY };
