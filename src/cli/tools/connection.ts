import { type ActivityClient, connect as connectTo, createClient, type Fetch } from "../../client/index.js";
import { createActivityServer } from "../../index.js";
import type { Control } from "../control-file.js";
import { send, textOf } from "./send.js";
import type { Target } from "./target.js";

/** What a tool asks, and lets go of at the end. */
export interface Connection {
  readonly client: ActivityClient;
  close(): Promise<void>;
}

/** Asks a running server, or one that is made for the storage and closes it. */
export function connect(target: Target, { trashDays }: { readonly trashDays?: number | undefined } = {}): Connection {
  if (target.kind === "server") {
    const client = createClient({ url: target.control.address, fetch: fetchTo(target.control), ...PATIENT });
    return { client, close: async () => undefined };
  }
  const server = createActivityServer({ storage: target.storage, ...(trashDays === undefined ? {} : { trashDays }) });
  return { client: connectTo(server, PATIENT), close: () => server.close() };
}

/** What a tool asks for may take long. */
const PATIENT = { timeoutMillis: Number.POSITIVE_INFINITY };

/** Sends the requests of a client to a running server, each with a proof of who asks. */
function fetchTo(control: Control): Fetch {
  return async (address, { method = "GET", body }) => {
    const { pathname, search } = new URL(address);
    const response = await send(control, method, pathname + search, { body: body as string | undefined });
    return new Response((await textOf(response)) || null, { status: response.statusCode ?? 0 });
  };
}
