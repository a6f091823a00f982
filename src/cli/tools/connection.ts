import { type ActivityClient, connect as connectTo, createClient, type Fetch } from "../../client/index.js";
import { createActivityServer } from "../../index.js";
import { IN_PROCESS } from "../../util/in-process.js";
import type { Control } from "../control-file.js";
import { requestsTo, resultOf, type SendRequest } from "./request.js";
import { send, textOf } from "./send.js";
import type { Target } from "./target.js";

/** What a tool asks, and lets go of at the end. */
export interface Connection {
  readonly client: ActivityClient;
  readonly request: SendRequest;
  close(): Promise<void>;
}

/** Asks a running server, or one that is made for the storage and closes it. */
export function connect(target: Target, { trashDays }: { readonly trashDays?: number | undefined } = {}): Connection {
  if (target.kind === "server") {
    const client = createClient({ url: target.control.address, fetch: fetchTo(target.control), ...PATIENT });
    return { client, request: requestsTo(target.control), close: async () => undefined };
  }
  const server = createActivityServer({ storage: target.storage, ...(trashDays === undefined ? {} : { trashDays }) });
  const request: SendRequest = async (method, path, body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const sent = { headers: { "content-type": "application/json" }, body: text };
    const url = `http://localhost${path}`;
    const response = await server[IN_PROCESS](url, { method, ...(body === undefined ? {} : sent) });
    return resultOf(response.status, await response.text());
  };
  return { client: connectTo(server, PATIENT), request, close: () => server.close() };
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
