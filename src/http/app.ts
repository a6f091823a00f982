import type { IncomingMessage } from "node:http";
import { H3, type H3Event, type H3EventContext, type HTTPError, HTTPResponse } from "h3";
import type { Logger } from "../logger.js";
import { joinBytes } from "../util/bytes.js";
import { bodyAlreadyRead } from "./body.js";
import { discard } from "./buffering.js";
import { errorResponse, messageResponse } from "./errors.js";
import { checkHeaderCount } from "./head-limit.js";
import { RequestView } from "./node-request.js";
import type { Respond } from "./pipeline.js";
import { type Chunk, type HttpResponse, isStreamed, type RequestContext } from "./request-context.js";
import { statusTextOf } from "./status.js";

/** An app of h3 2, with the members that another app needs. Its full type is in `h3`, which our types do not import. */
export interface MountableApp {
  fetch(request: Request): Response | Promise<Response>;
  /** Adds middleware, which runs for `app` and `fetch`. */
  use(middleware: (event: MiddlewareEvent, next: () => unknown) => unknown): unknown;
}

/** The documented part of the event that h3 passes to middleware. */
export interface MiddlewareEvent {
  readonly req: Request;
  readonly url: URL;
}

export interface AppOptions {
  /** Whether files may be sent compressed. */
  readonly precompressed: boolean;
}

/**
 * Creates an h3 app with a single route; our router does the rest. Thrown errors never become error responses of h3, in
 * this app or in one that mounts it: h3 has its own error format, which breaks in embedders that replace the global
 * `Response`.
 */
export function createApp(respond: Respond, logger: Logger, { precompressed }: AppOptions): MountableApp {
  const app = new H3({
    silent: true,
    allowMalformedURL: true,
    // Only errors of the embedder's middleware arrive here.
    onError: (error, { req }) => toHttpResponse(middlewareError(error, logger), req.method),
  });
  app.all("/**", async (event) => {
    const { method } = event.req;
    try {
      const request = contextOf(event, precompressed);
      return await toHttpResponse(await respond(request), method, () => request.onCanceled?.());
    } catch (thrown) {
      return toHttpResponse(errorResponse(thrown, logger), method);
    }
  });
  return app;
}

/** Key of the embedder's context in the h3 context. Only this file has the symbol, so no caller can set it. */
const CONTEXT: unique symbol = Symbol("context of the embedder");

/** Lets an app respond to a request, with the context that the embedder passed. */
export function fetchWith(app: MountableApp, request: Request, context: unknown): Response | Promise<Response> {
  if (context === undefined) return app.fetch(request);
  return (app as H3).request(request, undefined, { [CONTEXT]: context } as H3EventContext);
}

/** Middleware throws h3 errors for the client; anything else is a fault. */
function middlewareError({ unhandled, cause, status, message, headers }: HTTPError, logger: Logger): HttpResponse {
  if (unhandled) return errorResponse(cause, logger);
  return messageResponse(status, message, Object.fromEntries(headers ?? []));
}

function contextOf(event: H3Event, takesEncoded: boolean): RequestContext {
  const { req, url } = event;
  const request = {
    takesEncoded,
    method: req.method,
    path: pathBelowMount(event),
    search: url.search.slice(1),
    context: (event.context as { readonly [CONTEXT]?: unknown })[CONTEXT],
  };
  const node = req.runtime?.node?.req;
  if (node !== undefined) {
    const view = new RequestView(node as IncomingMessage);
    // The embedder's middleware has read the Node request through a clone of the web-standard one, which is still
    // unread.
    const isRead = isReadByWeb(node as IncomingMessage, req);
    return {
      ...request,
      boundAddress: view.boundAddress,
      isEncrypted: view.isEncrypted,
      remoteAddress: view.remoteAddress,
      host: { web: req, ...view.host },
      header: (name) => view.header(name),
      isRepeated: (name) => view.isRepeated(name),
      onGone: (listener) => view.onGone(listener),
      disconnect: () => view.disconnect(),
      body: () => (isRead ? chunksOf(req) : view.body()),
      ...(isRead ? {} : { bytes: (limitBytes, watch) => view.bytes(limitBytes, watch) }),
    };
  }
  checkHeaderCount(req.headers);
  return {
    ...request,
    boundAddress: undefined,
    isEncrypted: url.protocol === "https:",
    host: { web: req },
    // A Request created in process has no Host header; the URL has the name.
    header: (name) => req.headers.get(name) ?? (name === "host" ? url.host : undefined),
    body: () => chunksOf(req),
    onGone(listener) {
      req.signal?.addEventListener("abort", listener, { once: true });
      return () => req.signal?.removeEventListener("abort", listener);
    },
  };
}

/** The path below the mount point in another h3 app: the match of `**`, with its last slash. */
function pathBelowMount({ url, context }: H3Event): string {
  const path = `/${context.params?.["_"] ?? ""}`;
  return url.pathname.endsWith("/") && !path.endsWith("/") ? `${path}/` : path;
}

function isReadByWeb(node: IncomingMessage, req: Request): boolean {
  return node.readableDidRead && !("body" in node) && !req.bodyUsed && req.body?.locked === false;
}

async function* chunksOf({ body, bodyUsed }: Request): AsyncGenerator<Uint8Array> {
  if (bodyUsed || body?.locked) throw bodyAlreadyRead();
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
  } finally {
    reader.releaseLock();
  }
}

async function toHttpResponse(
  { status, headers, cookies, body }: HttpResponse,
  method: string,
  onCanceled: () => void = () => {},
): Promise<HTTPResponse> {
  const init = { status, statusText: statusTextOf(status), headers: linesOf(headers, cookies) };
  if (body === null) return new HTTPResponse("", init);
  if (isStreamed(body)) {
    if (method !== "HEAD") return new HTTPResponse(streamOf(body[Symbol.asyncIterator](), onCanceled), init);
    await discard(body);
    return new HTTPResponse("", init);
  }
  const chunks = typeof body === "string" ? [body] : body;
  const bytes = chunks.length === 1 ? ownBytesOf(chunks[0] as Chunk) : joinBytes(chunks.map(bytesOf));
  if (method !== "HEAD") return new HTTPResponse(bytes as Uint8Array<ArrayBuffer>, init);
  init.headers = linesOf({ ...headers, "content-length": String(bytes.length) }, cookies);
  return new HTTPResponse("", init);
}

/** Cookies need a line each; all other headers fit into an object. */
function linesOf(
  headers: HttpResponse["headers"],
  cookies: HttpResponse["cookies"],
): HttpResponse["headers"] | [string, string][] {
  if (cookies === undefined) return headers;
  return [...Object.entries(headers), ...cookies.map((cookie): [string, string] => ["set-cookie", cookie])];
}

const encoder: TextEncoder = new TextEncoder();

function bytesOf(chunk: Chunk): Uint8Array {
  return typeof chunk === "string" ? encoder.encode(chunk) : chunk;
}

/** Bytes that the consumer may overwrite or transfer. Other responses may share the bytes of a chunk. */
function ownBytesOf(chunk: Chunk): Uint8Array {
  return typeof chunk === "string" ? encoder.encode(chunk) : new Uint8Array(chunk);
}

function streamOf(chunks: AsyncIterator<Chunk>, onCanceled: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const chunk = await chunks.next();
      if (chunk.done) controller.close();
      else controller.enqueue(ownBytesOf(chunk.value));
    },
    async cancel() {
      onCanceled();
      await chunks.return?.();
    },
  });
}
