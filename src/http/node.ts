import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { ActivityError } from "../errors.js";
import type { Logger } from "../logger.js";
import { markAtRoot, RequestView } from "./node-request.js";
import { sendAnswer } from "./node-response.js";
import type { Pipeline } from "./pipeline.js";
import type { RequestContext } from "./request-context.js";
import { ResponseBatching } from "./response-batching.js";
import type { Found, Router } from "./router.js";

/**
 * A request listener for `node:http`, `node:https`, `node:http2`, and for every framework that takes one. Resolves when
 * the answer has been handed to the connection, and never rejects.
 */
export type NodeHandler = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
) => Promise<void>;

/** What a Node request listener is made of. */
export interface NodeHandlerOptions {
  /** Serves what is beside the API, by web-standard requests. */
  readonly fetch: (request: Request) => Promise<Response>;
  readonly pipeline: Pipeline;
  readonly router: Router;
  readonly logger: Logger;
  /** Whether requests come from a socket of our own, without a host that could have put a prefix before the paths. */
  readonly isAtRoot: boolean;
}

/** Marks an answer that is being made, so that nobody begins it a second time. */
const TAKEN: unique symbol = Symbol.for("activity-server.taken");

interface MarkedResponse extends ServerResponse {
  [TAKEN]?: true;
}

/**
 * Makes a Node request listener. Requests to the API go to the pipeline as they are: the web-standard objects around a
 * heartbeat cost more than its parsing. Everything beside the API is left to `fetch`.
 */
export function createNodeHandler(options: NodeHandlerOptions): NodeHandler {
  const { fetch, pipeline, router, logger, isAtRoot } = options;
  const batching = new ResponseBatching();
  let bridge: Promise<NodeHandler | undefined> | undefined;

  /** A host that was bundled into one file may not have the bridge beside it; the API does without. */
  function withoutBridge(cause: unknown): undefined {
    logger.warn(`paths beside the API are not served: ${cause instanceof Error ? cause.message : cause}`);
  }

  async function serve(request: IncomingMessage, response: ServerResponse, found: Found, search: string) {
    batching.begin();
    try {
      const answer = await pipeline(found.target, new NodeRequestContext(request, found, search));
      if (batching.isOpen) await batching.end;
      const sending = sendAnswer(response, answer);
      // Nothing is waited for in the usual case: each wait costs a heartbeat a turn.
      if (sending !== undefined) await sending;
    } catch (thrown) {
      logger.error(thrown);
      response.destroy();
    }
  }

  async function serveBeside(request: IncomingMessage, response: ServerResponse, found: Found): Promise<void> {
    try {
      bridge ??= bridgeTo(fetch).catch(withoutBridge);
      if (isAtRoot) markAtRoot(request);
      const handle = await bridge;
      await (handle === undefined ? serve(request, response, found, "") : handle(request, response));
    } catch (thrown) {
      logger.error(thrown);
      response.destroy();
    }
  }

  function listener(request: IncomingMessage, response: MarkedResponse): Promise<void> {
    if (response[TAKEN] || response.headersSent) {
      logger.error(new ActivityError("ALREADY_ANSWERED", `${request.method} ${request.url}: ${MOUNTED_TWICE}`));
      return Promise.resolve();
    }
    response[TAKEN] = true;
    const { path, search } = partsOf(request.url ?? "/");
    const found = router(path, isAtRoot);
    return typeof found.target === "object"
      ? serve(request, response, found, search)
      : serveBeside(request, response, found);
  }

  // Of what is used here the two protocols of Node have the same.
  return listener as NodeHandler;
}

const MOUNTED_TWICE =
  "somebody answers this request already; mount the handler once for a path, and behind nothing that answers";

/** A request to the API as the pipeline takes it. */
class NodeRequestContext extends RequestView implements RequestContext {
  readonly method: string;
  readonly path: string;
  readonly rawParams: Found["rawParams"];
  readonly search: string;

  constructor(request: IncomingMessage, { path, rawParams }: Found, search: string) {
    super(request);
    this.method = request.method as string;
    this.path = path;
    this.rawParams = rawParams;
    this.search = search;
  }
}

/** Neither a bundler for browsers nor one for Node should follow it: the core runs without Node. */
const BRIDGE: string = "srvx/node";

async function bridgeTo(fetch: NodeHandlerOptions["fetch"]): Promise<NodeHandler> {
  const { toNodeHandler } = (await import(BRIDGE)) as typeof import("srvx/node");
  // Declared for the requests of both protocols at once; it takes either.
  return toNodeHandler(fetch) as NodeHandler;
}

/** What a URL parser would rewrite: whole URLs, backslashes, fragments, and segments of dots. */
const REWRITTEN = /^[^/]|[\\#]|\/(?:\.|%2e)/i;

function partsOf(target: string): { path: string; search: string } {
  if (REWRITTEN.test(target)) {
    // Not against a base: a target that begins with two slashes would name a host.
    const whole = target.startsWith("/") ? `http://localhost${target}` : target;
    if (URL.canParse(whole)) {
      const { pathname, search } = new URL(whole);
      return { path: pathname, search: search.slice(1) };
    }
  }
  const at = target.indexOf("?");
  return at < 0 ? { path: target, search: "" } : { path: target.slice(0, at), search: target.slice(at + 1) };
}
