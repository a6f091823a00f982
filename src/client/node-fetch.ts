import type { IncomingMessage, RequestOptions } from "node:http";
import type Https from "node:https";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { connectPinned, pinnedAgent } from "./pinned.js";

/** Connections that the global `fetch` does not support. */
export interface NodeWay {
  readonly ca?: string | readonly string[] | undefined;
  readonly fingerprint?: string | undefined;
  readonly socketPath?: string | undefined;
}

/** Statuses without a body in a `Response`. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Sends requests with Node's own HTTP client, over persistent connections. Does not follow redirects.
 *
 * @throws TypeError outside Node, Deno and Bun, and for an invalid fingerprint
 */
export function nodeFetch({
  ca,
  fingerprint,
  socketPath,
}: NodeWay): (url: string, init: RequestInit) => Promise<Response> {
  // Not an import, which would break bundlers for browsers.
  const load = globalThis.process?.getBuiltinModule;
  if (load === undefined) throw new TypeError("ca, fingerprint and socketPath need Node, Deno or Bun");
  const { Readable, pipeline } = load("stream");
  const { request, agent } = way();

  function way(): { request: typeof Https.request; agent: RequestOptions["agent"] } {
    const options = { keepAlive: true };
    if (socketPath !== undefined || (ca ?? fingerprint) === undefined) {
      const http = load("http");
      return { request: http.request, agent: new http.Agent(options) };
    }
    const https = load("https");
    if (fingerprint === undefined)
      return { request: https.request, agent: new https.Agent({ ...options, ...trusting(ca) }) };
    const connect = connectPinned(load("tls"), fingerprint);
    return { request: https.request, agent: pinnedAgent(new https.Agent(options), connect) };
  }

  function responseOf(message: IncomingMessage): Response {
    const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = message;
    const headers = new Headers();
    for (let at = 0; at < rawHeaders.length; at += 2)
      headers.append(rawHeaders[at] as string, rawHeaders[at + 1] ?? "");
    if (EMPTY.has(status)) message.resume();
    // The same class, declared twice.
    const body = EMPTY.has(status) ? null : (Readable.toWeb(message) as unknown as ReadableStream<Uint8Array>);
    return new Response(body, { status, statusText, headers });
  }

  return (url, { method = "GET", headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const options: RequestOptions = {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        agent,
        ...(signal ? { signal } : {}),
        ...(socketPath === undefined ? {} : { socketPath }),
      };
      const sent = request(url, options, (message) => {
        try {
          resolve(responseOf(message));
        } catch (error) {
          message.destroy();
          reject(error);
        }
      });
      sent.on("error", reject);
      if (!(body instanceof Blob)) {
        sent.end(body ?? undefined);
        return;
      }
      sent.setHeader("content-length", body.size);
      pipeline(Readable.fromWeb(body.stream() as NodeStream), sent, () => undefined);
    });
}

function trusting(ca: NodeWay["ca"]): { ca?: string[] } {
  return ca === undefined ? {} : { ca: [ca].flat() };
}
