import { createActivityServer } from "../../index.js";
import { IN_PROCESS } from "../../util/in-process.js";
import { requestsTo, resultOf, type SendRequest } from "./request.js";
import type { Target } from "./target.js";

/** What a tool asks, and lets go of at the end. */
export interface Connection {
  readonly request: SendRequest;
  close(): Promise<void>;
}

/** Asks a running server, or one that is made for the storage and closes it. */
export function connect(target: Target, { trashDays }: { readonly trashDays?: number | undefined } = {}): Connection {
  if (target.kind === "server") return { request: requestsTo(target.control), close: async () => undefined };
  const server = createActivityServer({ storage: target.storage, ...(trashDays === undefined ? {} : { trashDays }) });
  const request: SendRequest = async (method, path, body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const sent = { headers: { "content-type": "application/json" }, body: text };
    const url = `http://localhost${path}`;
    const response = await server[IN_PROCESS](url, { method, ...(body === undefined ? {} : sent) });
    return resultOf(response.status, await response.text());
  };
  return { request, close: () => server.close() };
}
