import { type ActivityClient, connect as connectTo, createClient } from "../../client/index.js";
import { createFetchWithin } from "../../http/fetch.js";
import { assembleServer } from "../../server.js";
import { IN_PROCESS } from "../../util/in-process.js";
import { createControlFetch } from "./send.js";
import type { Target } from "./target.js";

export interface Connection {
  readonly client: ActivityClient;
  close(): Promise<void>;
}

/** Connects to a running server, or creates one that closes the storage. */
export function connect(target: Target, { trashDays }: { readonly trashDays?: number | undefined } = {}): Connection {
  if (target.kind === "server") {
    const { control } = target;
    const client = createClient({ url: control.address, fetch: createControlFetch(control), ...NO_TIMEOUT });
    return { client, close: async () => undefined };
  }
  const options = { storage: target.storage, ...(trashDays === undefined ? {} : { trashDays }) };
  const server = assembleServer(options, (_respond, respondWithin, { logger }) => ({
    [IN_PROCESS]: createFetchWithin(respondWithin, logger),
  }));
  return { client: connectTo(server, NO_TIMEOUT), close: () => server.close() };
}

/** Commands may take long. */
const NO_TIMEOUT = { timeoutMillis: Number.POSITIVE_INFINITY };
