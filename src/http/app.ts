import type { IncomingMessage } from "node:http";
import { H3, type H3Event, HTTPResponse } from "h3";
import { joinBytes } from "../util/bytes.js";
import { consumed } from "./body.js";
import { discard } from "./buffering.js";
import { isMarkedAtRoot, RequestView } from "./node-request.js";
import { NOTHING_BESIDE, type Pipeline } from "./pipeline.js";
import { type Chunk, type HttpResponse, isStreamed, type RequestContext } from "./request-context.js";
import type { Resource } from "./route.js";
import type { Found, Router } from "./router.js";
import { statusTextOf } from "./status.js";
import type { WebFolder } from "./web-folder.js";

/** What an h3 app is made of. */
export interface AppOptions {
  readonly resources: Iterable<Resource>;
  readonly router: Router;
  readonly pipeline: Pipeline;
  /** Files beside the API. */
  readonly webFolder: WebFolder | undefined;
}

/**
 * Puts the routes into an h3 app. h3 finds the route of a plain path; prefixes of hosts and doubled slashes are left to
 * the router. The pipeline does the rest and never throws, since error answers made by h3 break in hosts that replace
 * the global `Response`.
 */
export function createApp({ resources, router, pipeline, webFolder }: AppOptions): H3 {
  const app = new H3({ silent: true, allowMalformedURL: true });
  for (const resource of resources) {
    app.all(resource.path, (event) =>
      serve(event, { target: resource, path: event.url.pathname, rawParams: event.context.params ?? {} }),
    );
  }
  app.all("/**", (event) => {
    const node = event.req.runtime?.node?.req;
    const found = router(event.url.pathname, node !== undefined && isMarkedAtRoot(node));
    return found.target === "beside" && webFolder !== undefined
      ? serveFile(event, found, webFolder)
      : serve(event, found);
  });

  async function serve(event: H3Event, found: Found): Promise<HTTPResponse> {
    return toHttpResponse(await pipeline(found.target, exchangeOf(event, found)), event.req.method);
  }

  async function serveFile(event: H3Event, found: Found, folder: WebFolder): Promise<Response | HTTPResponse> {
    // The pipeline decides first whether the request may pass.
    const answer = await pipeline("beside", exchangeOf(event, found));
    const isReading = event.req.method === "GET" || event.req.method === "HEAD";
    const file = isReading && answer === NOTHING_BESIDE ? await folder(event.req, found.path) : undefined;
    return file ?? toHttpResponse(answer, event.req.method);
  }

  return app;
}

/** Answers web-standard requests by an app; never rejects. */
export function createFetch(app: H3): (request: Request) => Promise<Response> {
  return async (request) => {
    const answer = await app.fetch(request);
    // Hosts recognize an answer by the global class, which another server of the process may have replaced.
    if (answer instanceof Response) return answer;
    const { body, status, statusText, headers } = answer as Response;
    return new Response(body, { status, statusText, headers });
  };
}

function exchangeOf(event: H3Event, { path, rawParams }: Found): RequestContext {
  const { req, url } = event;
  const request = { method: req.method, path, rawParams, search: url.search.slice(1) };
  const node = req.runtime?.node?.req;
  if (node !== undefined) {
    const view = new RequestView(node as IncomingMessage);
    // Somebody of the host has read it through the web-standard request, and left that whole (by a clone).
    const isRead = isReadByWeb(node as IncomingMessage, req);
    return {
      ...request,
      boundAddress: view.boundAddress,
      isEncrypted: view.isEncrypted,
      host: { web: req, ...view.host },
      header: (name) => view.header(name),
      onGone: (listener) => view.onGone(listener),
      body: () => (isRead ? piecesOf(req) : view.body()),
      ...(isRead ? {} : { bytes: (limitBytes) => view.bytes(limitBytes) }),
    };
  }
  return {
    ...request,
    boundAddress: undefined,
    isEncrypted: url.protocol === "https:",
    host: { web: req },
    // The name in the URL stands in for the Host header, which a Request made in process does not have.
    header: (name) => req.headers.get(name) ?? (name === "host" ? url.host : undefined),
    body: () => piecesOf(req),
    onGone(listener) {
      req.signal?.addEventListener("abort", listener, { once: true });
      return () => req.signal?.removeEventListener("abort", listener);
    },
  };
}

function isReadByWeb(node: IncomingMessage, req: Request): boolean {
  return node.readableDidRead && !("body" in node) && !req.bodyUsed && req.body?.locked === false;
}

async function* piecesOf({ body, bodyUsed }: Request): AsyncGenerator<Uint8Array> {
  if (bodyUsed || body?.locked) throw consumed();
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    reader.releaseLock();
  }
}

async function toHttpResponse({ status, headers, cookies, body }: HttpResponse, method: string): Promise<HTTPResponse> {
  const init = { status, statusText: statusTextOf(status), headers: linesOf(headers, cookies) };
  if (body === null) return new HTTPResponse("", init);
  if (isStreamed(body)) {
    if (method !== "HEAD") return new HTTPResponse(streamOf(body[Symbol.asyncIterator]()), init);
    await discard(body);
    return new HTTPResponse("", init);
  }
  const pieces = typeof body === "string" ? [body] : body;
  const bytes = pieces.length === 1 ? ownBytesOf(pieces[0] as Chunk) : joinBytes(pieces.map(bytesOf));
  if (method !== "HEAD") return new HTTPResponse(bytes as Uint8Array<ArrayBuffer>, init);
  init.headers = linesOf({ ...headers, "content-length": String(bytes.length) }, cookies);
  return new HTTPResponse("", init);
}

/** Cookies have a line each; whatever else there is, an object holds. */
function linesOf(
  headers: HttpResponse["headers"],
  cookies: HttpResponse["cookies"],
): HttpResponse["headers"] | [string, string][] {
  if (cookies === undefined) return headers;
  return [...Object.entries(headers), ...cookies.map((cookie): [string, string] => ["set-cookie", cookie])];
}

const encoder: TextEncoder = new TextEncoder();

function bytesOf(piece: Chunk): Uint8Array {
  return typeof piece === "string" ? encoder.encode(piece) : piece;
}

/** Bytes that the consumer may overwrite or transfer: those of a piece may be sent to others, too. */
function ownBytesOf(piece: Chunk): Uint8Array {
  return typeof piece === "string" ? encoder.encode(piece) : new Uint8Array(piece);
}

function streamOf(pieces: AsyncIterator<Chunk>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const piece = await pieces.next();
      if (piece.done) controller.close();
      else controller.enqueue(ownBytesOf(piece.value));
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}
