import type { ActivityServer } from "../../src/index.js";
import { checkedFetch } from "./answer-check.js";

/** Sends JSON to a server of this process, and holds the answer to the OpenAPI document. */
export function sendJson(
  { fetch }: Pick<ActivityServer, "fetch">,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const type = body === undefined ? {} : { "content-type": "application/json" };
  return checkedFetch(path, { method, headers: { ...type, ...headers }, ...sent }, fetch);
}
