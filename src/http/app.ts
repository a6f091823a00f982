import type { IncomingMessage } from "node:http";
import { H3, type H3Event, HTTPResponse } from "h3";
import type { Answer, Exchange } from "./exchange.js";
import { viewOf } from "./node-request.js";
import { discard } from "./pieces.js";
import type { Pipeline, Target } from "./pipeline.js";
import type { Resource } from "./route.js";
import { statusTextOf } from "./status.js";

/** Serves files beside the API; resolves `undefined` when there is none at the path. */
export type WebFolder = (request: Request) => Promise<Response | undefined>;

/**
 * Puts the routes into an h3 app. h3 finds the route; the pipeline does the rest and never throws, since error answers
 * made by h3 break in hosts that replace the global `Response`.
 */
export function createApp(resources: Iterable<Resource>, pipeline: Pipeline, webFolder: WebFolder | undefined): H3 {
  const app = new H3({ silent: true, allowMalformedURL: true });
  for (const resource of resources) {
    app.all(resource.path, (event) => serve(event, resource));
  }
  app.all("/**", (event) => {
    if (isApiPath(event.url.pathname)) return serve(event, "unknown");
    return webFolder === undefined ? serve(event, "beside") : serveFile(event, webFolder);
  });

  async function serve(event: H3Event, target: Target): Promise<HTTPResponse> {
    return toHttpResponse(await pipeline(target, exchangeOf(event)), event.req.method);
  }

  async function serveFile(event: H3Event, folder: WebFolder): Promise<Response | HTTPResponse> {
    // The pipeline checks the host first; of a path beside the API it then only knows that it has nothing there.
    const answer = await pipeline("beside", exchangeOf(event));
    const file = answer.status === 404 ? await folder(event.req) : undefined;
    return file ?? toHttpResponse(answer, event.req.method);
  }

  return app;
}

/** Whether a path belongs to the API, and so to its guards. */
function isApiPath(path: string): boolean {
  return path === "/api" || path.startsWith("/api/");
}

function exchangeOf(event: H3Event): Exchange {
  const { req, url } = event;
  const request = {
    method: req.method,
    rawParams: event.context.params ?? {},
    search: url.search.slice(1),
  };
  const node = req.runtime?.node?.req;
  if (node !== undefined) return { ...request, ...viewOf(node as IncomingMessage) };
  return {
    ...request,
    boundAddress: undefined,
    // The name in the URL stands in for the Host header, which a Request made in process does not have.
    header: (name) => req.headers.get(name) ?? (name === "host" ? url.host : undefined),
    body: () => piecesOf(req.body),
  };
}

async function* piecesOf(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader();
  if (reader === undefined) return;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    reader.releaseLock();
  }
}

async function toHttpResponse({ status, headers, body }: Answer, method: string): Promise<HTTPResponse> {
  const init = { status, statusText: statusTextOf(status), headers };
  if (body === null || typeof body === "string") return new HTTPResponse(body ?? "", init);
  if (method !== "HEAD") return new HTTPResponse(streamOf(body[Symbol.asyncIterator]()), init);
  await discard(body);
  return new HTTPResponse("", init);
}

const encoder: TextEncoder = new TextEncoder();

function streamOf(pieces: AsyncIterator<string>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const piece = await pieces.next();
      if (piece.done) controller.close();
      else controller.enqueue(encoder.encode(piece.value));
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
