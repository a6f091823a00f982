import type { OperationId } from "../api/operations.js";
import { EventSerializer } from "../codec/event-serializer.js";
import { ResultSerializer } from "../codec/serialize-results.js";
import { ActivityError } from "../errors.js";
import type { Logger } from "../logger.js";
import { ANYBODY, type Grants } from "../service/access/grants.js";
import type { Service } from "../service/service.js";
import { memoize } from "../util/memoize.js";
import type { CacheMemory } from "../util/memory-budget.js";
import { afterWaiting, type Waiting } from "../util/waiting.js";
import { type Authorize, afterTurn, runAuthorizeHook } from "./authorize.js";
import { BodyAdmission } from "./body-admission.js";
import { BodyPace } from "./body-pace.js";
import { logged } from "./buffering.js";
import { BulkAdmission, discardBody } from "./bulk-admission.js";
import type { Credentials } from "./credentials.js";
import { errorResponse, foreignLink, foreignLoad, unknownHost } from "./errors.js";
import { fetchMetadata, isPrerender, isSpeculative, refererOrigin } from "./fetch-metadata.js";
import type { Guard } from "./guard.js";
import { HandlerContext } from "./handler-context.js";
import type { InFlight } from "./in-flight.js";
import { type OriginCheck, preflightResponse } from "./origins.js";
import { checkNeed, recheckAccess, unauthorized, whileAllowed } from "./permission.js";
import { isNavigation, readableResponse } from "./readable.js";
import { RefusalThrottle } from "./refusal-throttle.js";
import { completed, type HttpResponse, isStreamed, type RequestContext } from "./request-context.js";
import { ResponseCache } from "./response-cache.js";
import { type Handlers, NO_BODY, type Route, routeFor } from "./route.js";
import type { Found, Router } from "./router.js";
import type { WebFolder } from "./web-folder.js";

export interface PipelineOptions {
  readonly router: Router;
  /** Run the operations. */
  readonly handlers: Handlers<OperationId>;
  /** Files outside the API; `undefined` if there are none. */
  readonly webFolder: WebFolder | undefined;
  readonly service: Service;
  readonly logger: Logger;
  /** Counts the requests. */
  readonly inFlight: Pick<InFlight, "enter" | "leave" | "leavingAfter">;
  /** Memory for caches. @default the limit of each cache */
  readonly budget?: CacheMemory;
}

/** The checks for a request. They depend on the door that the request came through. */
export interface Access {
  readonly guard: Guard;
  readonly origins: OriginCheck;
  readonly credentials: Credentials;
  /** The embedder's hook, run for each request; `undefined` if there is none. */
  readonly authorize: Authorize<object, never> | undefined;
}

/**
 * The one way from a request to a response, for every transport: route, host check, origin check, preflight,
 * credentials and their grants, the embedder's decision, method, handler or file, error mapping, CORS headers, in the
 * order of docs/reference/access.md#who-may-call-what. Never rejects.
 */
export type Pipeline = (request: RequestContext, access: Access) => Promise<HttpResponse>;

/** A request in progress, with the route for its path and method. */
interface Call {
  readonly request: RequestContext;
  readonly found: Found;
  /** `undefined` if the path does not have this method, or is outside the API. */
  readonly route: Route | undefined;
  readonly access: Access;
  /** `undefined` if there is none, or if the path is outside the API. */
  readonly origin: string | undefined;
  /** Checks the grants of its credentials again; `undefined` if they cannot change. */
  recheckAccess: (() => Waiting) | undefined;
  /** Runs the embedder's hook again after a wait; `undefined` without a hook. */
  rerunHook: ((recheck: () => Waiting) => Promise<void>) | undefined;
}

/** The pipeline as a transport calls it: with its access. */
export type Respond = (request: RequestContext) => Promise<HttpResponse>;

export function createPipeline(options: PipelineOptions): Pipeline {
  const { router, handlers, webFolder, service, logger, inFlight, budget } = options;
  const parameters = memoize((search) => new URLSearchParams(search));
  const bodies = new BodyAdmission();
  const imports = new BodyPace();
  const bulk = new BulkAdmission();
  const refusals = new RefusalThrottle();
  const serializers = {
    events: new EventSerializer(budget),
    results: new ResultSerializer(budget),
    responses: new ResponseCache(budget),
  };
  const shared = { serializers, handlers, refusals };

  /** Avoids `await` where possible: each one would delay every heartbeat by an event-loop turn. */
  function serve(call: Call): Promise<HttpResponse> {
    const { request, found, route, access } = call;
    if (found.target === "beside" || route?.open) return decide(call, ANYBODY);
    const waiting = access.credentials.ready(request, route?.needs);
    return waiting === undefined ? permit(call) : waiting.then(() => permit(call));
  }

  /** Delays wrong credentials. Right ones never wait, and neither do requests without credentials. */
  async function refuse({ request, access }: Call): Promise<HttpResponse> {
    discardBody(request);
    if (!access.credentials.areGiven(request) || (await refusals.turn(request))) throw unauthorized();
    const response = errorResponse(unauthorized(), logger);
    // HTTP/2 does not allow this header.
    if (request.host.node?.httpVersionMajor !== 1) return response;
    return { ...response, headers: { ...response.headers, connection: "close" } };
  }

  function permit(call: Call): Promise<HttpResponse> {
    const grants = call.access.credentials.grantsOf(call.request);
    return grants === undefined ? refuse(call) : afterWaiting(checkExtension(call), () => compare(call, grants));
  }

  function compare(call: Call, grants: Grants): Promise<HttpResponse> {
    const { found, route, access } = call;
    try {
      checkNeed({ need: route?.needs, grants, params: found.params, credentials: access.credentials });
    } catch (thrown) {
      if (ActivityError.is(thrown) && thrown.code === "UNAUTHORIZED") return refuse(call);
      throw thrown;
    }
    return decide(call, grants);
  }

  function decide(call: Call, grants: Grants): Promise<HttpResponse> {
    const { request, found, access } = call;
    const { path, params, resource } = found;
    const { authorize } = access;
    if (authorize === undefined) return runRoute(call, grants);
    const asked = { path, route: resource?.path, params, caller: grants.caller };
    const ask = () => runAuthorizeHook(authorize, request, asked);
    return ask().then((identity) => {
      call.rerunHook = afterTurn(ask);
      return runRoute(call, grants, identity);
    });
  }

  function runRoute(call: Call, grants: Grants, identity?: object): Promise<HttpResponse> {
    const { request, found, route } = call;
    const { resource } = found;
    if (resource === undefined) return serveFile(request, found);
    if (route === undefined) {
      throw new ActivityError("METHOD_NOT_ALLOWED", `${request.method} is not offered here, only ${resource.allow}`);
    }
    const { limits = NO_BODY, isBuffered, isBulk } = route;
    const mayWait = isBulk || call.rerunHook !== undefined;
    const afterWait = mayWait || canEnd(route, grants) ? prepareRecheck(call, route, grants) : undefined;
    if (route.isEndless) request.recheck = afterWait;
    const acting = service.actingFor(grants, identity, request.context);
    const context = new HandlerContext(call, { limits, query: parameters(request.search), service: acting }, shared);
    const answer = () => route.handle(request, context);
    if (!isBuffered && route.limits !== undefined) return imports.during(request, answer);
    const handle = isBuffered ? () => bodies.during(request, limits.bytes, answer) : answer;
    if (!isBulk || afterWait === undefined) return handle();
    return bulk.during(request, { takesBody: route.limits !== undefined, recheckAccess: afterWait }, handle);
  }

  /** A key that does not allow its origin waits like any other wrong one. */
  async function refuseOrigin(thrown: unknown, request: RequestContext, { credentials }: Access): Promise<never> {
    discardBody(request);
    if (credentials.areGiven(request)) await refusals.turn(request);
    throw thrown;
  }

  /** @throws ActivityError `NO_SUCH_ROUTE` if there is no file either */
  async function serveFile(request: RequestContext, { target, path, missing }: Found): Promise<HttpResponse> {
    const isReading = request.method === "GET" || request.method === "HEAD";
    const file = target === "beside" && isReading ? await webFolder?.(request, path) : undefined;
    if (file === undefined) throw new ActivityError("NO_SUCH_ROUTE", missing);
    return file;
  }

  return async function respond(request, access) {
    inFlight.enter();
    const found = router(request.path);
    const { resource } = found;
    const origin = found.target === "beside" ? undefined : request.header("origin");
    const route = routeFor(resource, request.method);
    const call: Call = { request, found, route, access, origin, recheckAccess: undefined, rerunHook: undefined };
    let corsHeaders: Record<string, string> | undefined;
    let response: HttpResponse;
    try {
      // A proxy may have checked the other header.
      if (request.isRepeated?.("host")) throw new ActivityError("INVALID_INPUT", "the request has two Host headers");
      const wrong = access.guard.wrongHost(request);
      if (wrong !== undefined) throw unknownHost(wrong);
      if (origin !== undefined) {
        const checking = access.origins.check(origin, resource, request);
        if (checking !== undefined) await checking.catch((thrown: unknown) => refuseOrigin(thrown, request, access));
        corsHeaders = { "access-control-allow-origin": origin, vary: "Origin" };
      }
      if (AMBIGUOUS.test(request.host.node?.url ?? request.path)) {
        throw new ActivityError("INVALID_INPUT", "the path has a raw backslash or `#`; send %5C or %23");
      }
      const isApi = isUnderApi(found);
      if (isApi ? isSpeculative(request) : isPrerender(request)) {
        throw new ActivityError("FORBIDDEN", "browsers may not load this before the user opens it");
      }
      const checking = isApi ? checkFetchMetadata(call) : undefined;
      if (checking !== undefined) await checking;
      response = request.method === "OPTIONS" ? preflightResponse(resource, request) : await serve(call);
    } catch (thrown) {
      response = errorResponse(thrown, logger);
      if (found.target === "beside" && response.status === 404 && isNavigation(request)) {
        response = readableResponse(404, "Not found", found.missing);
      }
      if (response.status === 405 && resource !== undefined) {
        response = { ...response, headers: { ...response.headers, allow: resource.allow } };
      }
    }
    const hasOnlyRead = route?.isReading || (route?.hasPreview && request.isPreview);
    if (call.recheckAccess !== undefined && hasOnlyRead && !isStreamed(response.body)) {
      try {
        // Nearly always synchronous; an `await` costs an event-loop turn.
        const checking = call.recheckAccess();
        if (checking !== undefined) await checking;
      } catch (thrown) {
        response = errorResponse(thrown, logger);
      }
    }
    response = completed(response);
    if (isStreamed(response.body)) {
      const chunks = call.recheckAccess ? whileAllowed(response.body, call.recheckAccess) : response.body;
      response = { ...response, body: inFlight.leavingAfter(logged(chunks, logger), request) };
    } else inFlight.leave();
    if (corsHeaders === undefined) return response;
    const vary = response.headers["vary"] === undefined ? {} : { vary: `${response.headers["vary"]}, Origin` };
    return { ...response, headers: { ...response.headers, ...corsHeaders, ...vary } };
  };
}

/** Whether a caller's rights can end while its request runs. Open routes stay open. */
function canEnd({ open, needs }: Route, { caller }: Grants): boolean {
  return !open && (caller !== undefined || needs === "owner" || needs === "operator");
}

/** Prepares the checks that run again after a wait. */
function prepareRecheck(call: Call, route: Route, grants: Grants): () => Waiting {
  const { request, found, access, rerunHook } = call;
  const asked = { need: route.needs, grants, params: found.params, credentials: access.credentials };
  const recheck = () => recheckAccess(asked, request);
  const afterWait = rerunHook === undefined ? recheck : () => rerunHook(recheck);
  const mayEnd = canEnd(route, grants);
  if (mayEnd) call.recheckAccess = recheck;
  if (!route.open && route.limits !== undefined && (mayEnd || rerunHook !== undefined)) request.afterBody = afterWait;
  return afterWait;
}

/** A path that other programs read differently: a backslash as a slash, a fragment as a part of it. */
const AMBIGUOUS = /^[^?]*[\\#]/;

function isUnderApi({ target, path }: Found): boolean {
  return target !== "beside" && (path.startsWith("/api/") || path === "/api" || path === "/mcp");
}

/**
 * Checks what an extension may write, after its credentials: without these it is 401
 * (docs/reference/compatibility.md#origins).
 */
function checkExtension({ request, origin, found, route, access }: Call): Waiting {
  if (origin === undefined || !route?.watcher) return undefined;
  return access.origins.checkBucket(origin, found.params.get("bucketId"), request);
}

/**
 * Blocks requests of other sites without an origin, such as images, frames or objects: the size or status of a response
 * would reveal stored data (docs/explanation/security.md#web-pages). Requests with an origin are already checked.
 *
 * @returns a promise only if credentials decide
 * @throws ActivityError `FORBIDDEN`
 */
function checkFetchMetadata(call: Call): Waiting {
  const { request, route, access } = call;
  const { guard, credentials } = access;
  if (request.header("origin") !== undefined) return undefined;
  const from = fetchMetadata(request);
  if (from === "here") return undefined;
  if (from === "foreign navigation") return checkLink(call);
  if (from === "foreign extension" && route?.watcher) return undefined;
  // If every origin is trusted, an unknown one is as well.
  if (guard.originStanding("null", request) === "trusted") return undefined;
  if (from !== "foreign extension") throw foreignLoad();
  // A page cannot send a key without an origin, but an extension can.
  return afterWaiting(credentials.ready(request), async () => {
    if (credentials.grantsOf(request)?.caller?.kind !== "key") throw foreignLoad();
  });
}

/** Checks links of untrusted sites, which may only open pages: the kind and time of a response would reveal data. */
function checkLink({ request, found, access }: Call): undefined {
  if (!`${found.path}/`.startsWith("/api/0/")) return;
  if (access.guard.originStanding(refererOrigin(request), request) !== "trusted") throw foreignLink();
}
