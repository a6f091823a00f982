import type { IncomingMessage } from "node:http";
import { H3, type H3Event, type H3EventContext, type HTTPError, HTTPResponse } from "h3";
import type { Logger } from "../logger.js";
import { errorResponse, messageResponse } from "./errors.js";
import { RequestView } from "./node-request.js";
import type { Respond } from "./pipeline.js";
import type { HttpResponse, RequestContext } from "./request-context.js";
import { chunksOf, contextOfWeb, toWebResponse } from "./web-request.js";

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
    onError: (error, { req }) => toWebResponse(HTTPResponse, middlewareError(error, logger), req.method),
  });
  app.all("/**", async (event) => {
    const { method } = event.req;
    try {
      const request = contextOf(event, precompressed);
      return await toWebResponse(HTTPResponse, await respond(request), method, () => request.onCanceled?.());
    } catch (thrown) {
      return toWebResponse(HTTPResponse, errorResponse(thrown, logger), method);
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
  return contextOfWeb(req, url, request);
}

/** The path below the mount point in another h3 app: the match of `**`, with its last slash. */
function pathBelowMount({ url, context }: H3Event): string {
  const path = `/${context.params?.["_"] ?? ""}`;
  return url.pathname.endsWith("/") && !path.endsWith("/") ? `${path}/` : path;
}

function isReadByWeb(node: IncomingMessage, req: Request): boolean {
  return node.readableDidRead && !("body" in node) && !req.bodyUsed && req.body?.locked === false;
}
