import { EventSerializer } from "../codec/event-serializer.js";
import { ResultSerializer } from "../codec/serialize-results.js";
import { ActivityError } from "../errors.js";
import type { Logger } from "../logger.js";
import type { HookedService } from "../service/hooked-service.js";
import { memoize } from "../util/memoize.js";
import { type Authorize, identified } from "./authorize.js";
import { BodyAdmission } from "./body-admission.js";
import { errorResponse } from "./errors.js";
import { fetchMetadata } from "./fetch-metadata.js";
import type { Guard } from "./guard.js";
import { isNavigation, readableResponse } from "./readable.js";
import { RefusalPace } from "./refusal-pace.js";
import { type Chunk, completed, type HttpResponse, isStreamed, type RequestContext } from "./request-context.js";
import { ResponseCache } from "./response-cache.js";
import { NO_BODY, type Resource, type Route, routeFor } from "./route.js";
import type { Found, Router } from "./router.js";
import type { WebFolder } from "./web-folder.js";

/** What the pipeline works with. */
export interface PipelineOptions {
  readonly router: Router;
  /** Files beside the API; `undefined` = there are none. */
  readonly webFolder: WebFolder | undefined;
  readonly service: HookedService;
  readonly logger: Logger;
}

/** Who decides about a request: it depends on the door that the request came through. */
export interface Access {
  readonly guard: Guard;
  /** Asked about each request; `undefined` = nobody is. */
  readonly authorize: Authorize | undefined;
}

/**
 * The one way from a request to a response, whatever transport brought it: route, host check, origin check, preflight,
 * API key, the embedder's own decision, method, handler or file, error mapping, CORS headers, in the order of
 * docs/api.md#who-may-call-what. Never rejects.
 */
export type Pipeline = (request: RequestContext, access: Access) => Promise<HttpResponse>;

/** The pipeline as a transport calls it: with its access. */
export type Respond = (request: RequestContext) => Promise<HttpResponse>;

export function createPipeline({ router, webFolder, service, logger }: PipelineOptions): Pipeline {
  const parameters = memoize((search) => new URLSearchParams(search));
  const serializers = {
    events: new EventSerializer(),
    results: new ResultSerializer(),
    responses: new ResponseCache(),
  };
  const bodies = new BodyAdmission();
  const refusals = new RefusalPace();

  /** Awaits nothing that need not be awaited: each wait costs a heartbeat a turn. */
  function serve(
    request: RequestContext,
    found: Found,
    { guard, authorize }: Access,
  ): HttpResponse | Promise<HttpResponse> {
    const { target, path } = found;
    const resource = typeof target === "object" ? target : undefined;
    const route = routeFor(resource, request.method);
    if (request.method === "OPTIONS") return preflightResponse(resource, request);
    if (target !== "beside" && !route?.open && !guard.allowsKey(request.header("authorization"))) {
      throw new ActivityError("UNAUTHORIZED", "an API key is needed: send the header Authorization: Bearer <key>");
    }
    const params = decodeParams(found.rawParams);
    const call = (identity?: object): HttpResponse | Promise<HttpResponse> => {
      if (resource === undefined) return serveFile(request, found);
      if (route === undefined) {
        throw new ActivityError("METHOD_NOT_ALLOWED", `${request.method} is not offered here, only ${resource.allow}`);
      }
      const served = identity === undefined ? service : service.actingFor(identity);
      const query = parameters(request.search);
      const { limits = NO_BODY, isBuffered } = route;
      const context = { service: served, path, params, query, limits, guard, serializers };
      if (!isBuffered) return route.handle(request, context);
      return bodies.during(request, limits.bytes, () => route.handle(request, context));
    };
    if (authorize === undefined) return call();
    return identified(authorize, request, { path, route: resource?.path, params }).then(call);
  }

  /** @throws ActivityError `NO_SUCH_ROUTE` where there is no file either */
  async function serveFile(request: RequestContext, { target, path, missing }: Found): Promise<HttpResponse> {
    const isReading = request.method === "GET" || request.method === "HEAD";
    const file = target === "beside" && isReading ? await webFolder?.(request, path) : undefined;
    if (file === undefined) throw new ActivityError("NO_SUCH_ROUTE", missing);
    return file;
  }

  return async function respond(request, access) {
    const found = router(request.path);
    const resource = typeof found.target === "object" ? found.target : undefined;
    const origin = found.target === "beside" ? undefined : request.header("origin");
    let corsHeaders: Record<string, string> | undefined;
    let response: HttpResponse;
    try {
      if (!access.guard.allowsHost(request)) {
        throw new ActivityError(
          "INVALID_INPUT",
          "the Host header names no host of this server; list it in `allowedHosts`",
        );
      }
      if (origin !== undefined) {
        checkOrigin(origin, resource, request, access.guard);
        corsHeaders = { "access-control-allow-origin": origin, vary: "Origin" };
      }
      if (isUnderApi(found)) checkFetchMetadata(request, resource, access.guard);
      const authorization = found.target === "beside" ? undefined : request.header("authorization");
      // Also where no key is needed: an open route may tell more to whoever has it.
      if (authorization !== undefined && !access.guard.allowsKey(authorization)) await refusals.turn();
      response = await serve(request, found, access);
    } catch (thrown) {
      response = errorResponse(thrown, logger);
      if (found.target === "beside" && response.status === 404 && isNavigation(request)) {
        response = readableResponse(404, "Not found", found.missing);
      }
      if (response.status === 405 && resource !== undefined) {
        response = { ...response, headers: { ...response.headers, allow: resource.allow } };
      }
    }
    response = completed(response);
    if (isStreamed(response.body)) response = { ...response, body: logged(response.body, logger) };
    if (corsHeaders === undefined) return response;
    const vary = response.headers["vary"] === undefined ? {} : { vary: `${response.headers["vary"]}, Origin` };
    return { ...response, headers: { ...response.headers, ...corsHeaders, ...vary } };
  };
}

/** @throws ActivityError `FORBIDDEN` for an origin that may not call this */
function checkOrigin(origin: string, resource: Resource | undefined, request: RequestContext, guard: Guard): void {
  const standing = guard.originStanding(origin, request);
  const preflight = request.method === "OPTIONS" ? request.header("access-control-request-method") : undefined;
  const route: Route | undefined = routeFor(resource, preflight ?? request.method);
  if (standing === "trusted" || (standing === "watcher" && route?.watcher)) return;
  const hint =
    standing === "watcher" ? "only the routes that a watcher needs" : "nothing; list it in `cors` to trust it";
  throw new ActivityError("FORBIDDEN", `this origin may call ${hint}`);
}

function isUnderApi({ target, path }: Found): boolean {
  return target !== "beside" && (path.startsWith("/api/") || path === "/api");
}

/**
 * Keeps out what other sites load without an origin, as images, frames or objects: an answer of another size or status
 * would tell them what is stored (docs/security.md#web-pages). With an origin its standing has decided.
 *
 * @throws ActivityError `FORBIDDEN`
 */
function checkFetchMetadata(request: RequestContext, resource: Resource | undefined, guard: Guard): void {
  if (request.header("origin") !== undefined) return;
  const from = fetchMetadata(request);
  if (from === "here" || from === "foreign navigation") return;
  if (from === "foreign extension" && routeFor(resource, request.method)?.watcher) return;
  // Where every origin is trusted, one that nobody knows is.
  if (guard.originStanding("null", request) === "trusted") return;
  throw new ActivityError("FORBIDDEN", "pages of other sites may not load this; list their origin in `cors`");
}

/** What fails behind the status can only be logged: the client sees a response that ends in the middle. */
async function* logged(chunks: AsyncIterable<Chunk>, logger: Logger): AsyncGenerator<Chunk> {
  try {
    yield* chunks;
  } catch (thrown) {
    logger.error(thrown);
    throw thrown;
  }
}

const ALLOWED_METHODS = "GET, POST, PUT, DELETE, HEAD, OPTIONS";

function preflightResponse(resource: Resource | undefined, request: RequestContext): HttpResponse {
  const headers: Record<string, string> = { allow: resource?.allow ?? ALLOWED_METHODS };
  if (request.header("origin") !== undefined) {
    headers["access-control-allow-methods"] = ALLOWED_METHODS;
    const asked = request.header("access-control-request-headers");
    if (asked !== undefined) headers["access-control-allow-headers"] = asked;
    if (request.header("access-control-request-private-network") === "true") {
      headers["access-control-allow-private-network"] = "true";
    }
  }
  return { status: 204, headers, body: null };
}

const NO_PARAMS: ReadonlyMap<string, string> = new Map();
/** Decoded before; the router gives the same object for the same path. */
const decodedBefore = new WeakMap<Found["rawParams"], ReadonlyMap<string, string>>();

/** Decodes each segment once. @throws ActivityError `INVALID_INPUT` for one that is not UTF-8 */
function decodeParams(raw: Found["rawParams"]): ReadonlyMap<string, string> {
  const before = decodedBefore.get(raw);
  if (before !== undefined) return before;
  const names = Object.keys(raw);
  if (names.length === 0) return NO_PARAMS;
  try {
    const params = new Map(names.map((name) => [name, decodeURIComponent(raw[name] as string)]));
    decodedBefore.set(raw, params);
    return params;
  } catch (cause) {
    throw new ActivityError("INVALID_INPUT", "the path is not UTF-8 after percent-decoding", { cause });
  }
}
