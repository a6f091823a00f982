import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { ActivityError } from "../errors.js";
import type { Logger } from "../logger.js";
import { memoize } from "../util/memoize.js";
import { errorResponse } from "./errors.js";
import { RequestView } from "./node-request.js";
import { sendResponse } from "./node-response.js";
import type { Respond } from "./pipeline.js";
import { PipelinedRequests } from "./pipelined.js";
import { contextIn, type RequestContext, type RequestOptions } from "./request-context.js";

/**
 * A request listener for `node:http`, `node:https`, `node:http2`, and for frameworks that accept one. Resolves when the
 * response was passed to the connection, and never rejects.
 */
export type NodeHandler<Context = never> = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
  options?: RequestOptions<Context>,
) => Promise<void>;

/** Marks a response in progress, so that it is not started twice. */
const TAKEN: unique symbol = Symbol.for("activity-server.taken");

interface MarkedResponse extends ServerResponse {
  [TAKEN]?: true;
}

/**
 * Creates a Node request listener. Requests go to the pipeline directly: web-standard objects for a heartbeat cost more
 * than parsing it.
 */
export function createNodeHandler(respond: Respond, logger: Logger): NodeHandler<unknown> {
  const batching = new ResponseBatching();
  const pipelined = new PipelinedRequests();

  async function serve(request: IncomingMessage, response: ServerResponse, options: unknown): Promise<void> {
    batching.begin();
    try {
      const made = await respond(new NodeRequestContext(request, contextIn(options)));
      if (batching.isOpen) await batching.end;
      const sending = sendResponse(response, made);
      // No `await` in the usual case: it would delay every heartbeat by an event-loop turn.
      if (sending !== undefined) await sending;
    } catch (thrown) {
      const failed = errorResponse(thrown, logger);
      try {
        if (response.headersSent) response.destroy();
        else sendResponse(response, failed);
      } catch {
        // The embedder may have done anything to the response.
        response.destroy();
      }
    }
  }

  // The default keeps `length` at 2: some frameworks wait for `next` if a listener has more parameters.
  function listener(request: IncomingMessage, response: MarkedResponse, options: unknown = undefined): Promise<void> {
    if (response[TAKEN] || response.headersSent) {
      // A query string may contain a user's search terms.
      const { path } = partsOf(request.url ?? "/");
      logger.error(new ActivityError("ALREADY_ANSWERED", `${request.method} ${path}: ${MOUNTED_TWICE}`));
      return Promise.resolve();
    }
    response[TAKEN] = true;
    const turn = pipelined.turn(request, response);
    return turn === undefined
      ? serve(request, response, options)
      : turn.then((isThere) => (isThere ? serve(request, response, options) : undefined));
  }

  // Both protocols of Node have the members that are used here.
  return listener as NodeHandler<unknown>;
}

/**
 * Tracks the event-loop turns in which requests arrive. Responses that are ready at once wait for the end of the turn
 * and are sent together: sent one by one, each wakes its client up, which costs more than the rest of a short response.
 */
class ResponseBatching {
  #isOpen = false;
  #end: Promise<void> | undefined;
  #resolve: (() => void) | undefined;

  /** Call this when a request arrives. */
  begin(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    setImmediate(this.#close);
  }

  /** Whether requests of this turn may still arrive. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves when all of them have arrived. Created when used: a heartbeat waits longer for the disk. */
  get end(): Promise<void> {
    this.#end ??= new Promise((resolve) => {
      this.#resolve = resolve;
    });
    return this.#end;
  }

  readonly #close = (): void => {
    this.#isOpen = false;
    this.#resolve?.();
    this.#resolve = undefined;
    this.#end = undefined;
  };
}

const MOUNTED_TWICE =
  "this request already has a response; mount the handler once for a path, before anything that responds";

/** A Node request in the form of the pipeline. */
class NodeRequestContext extends RequestView implements RequestContext {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly context: unknown;
  // Set later. Declared so that all requests have the same shape.
  afterBody: RequestContext["afterBody"] = undefined;
  isPreview: boolean = false;
  bodyAdmitted: RequestContext["bodyAdmitted"] = undefined;
  bodyWatch: RequestContext["bodyWatch"] = undefined;
  onCanceled: RequestContext["onCanceled"] = undefined;
  recheck: RequestContext["recheck"] = undefined;

  constructor(request: IncomingMessage, context: unknown) {
    super(request);
    this.context = context;
    this.method = request.method as string;
    const { path, search } = partsOf(request.url ?? "/");
    this.path = path;
    this.search = search;
  }

  /** Nothing is between the handler and the client. */
  get takesEncoded(): boolean {
    return true;
  }
}

/** Parts that a URL parser would rewrite: whole URLs, fragments, and dot segments. */
const REWRITTEN = /^[^/]|#|\/(?:\.|%2e)/i;

/** Watchers repeat the same few targets. */
const partsOf = memoize((target): { readonly path: string; readonly search: string } => {
  if (REWRITTEN.test(target)) {
    // No base URL: a target that starts with two slashes would name a host.
    const whole = target.startsWith("/") ? `http://localhost${target}` : target;
    if (URL.canParse(whole)) {
      const { pathname, search } = new URL(whole);
      return { path: pathname, search: search.slice(1) };
    }
  }
  const at = target.indexOf("?");
  return at < 0 ? { path: target, search: "" } : { path: target.slice(0, at), search: target.slice(at + 1) };
});
