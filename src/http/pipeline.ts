import { EventSerializer } from "../codec/event-serializer.js";
import { ResultSerializer } from "../codec/serialize-results.js";
import { ActivityError } from "../errors.js";
import type { Logger } from "../logger.js";
import type { HookedService } from "../service/hooked-service.js";
import { memoize } from "../util/memoize.js";
import { type Authorize, identified } from "./authorize.js";
import { errorAnswer, messageAnswer } from "./errors.js";
import type { Guard } from "./guard.js";
import { type Chunk, type HttpResponse, isStreamed, type RequestContext } from "./request-context.js";
import { ResponseCache } from "./response-cache.js";
import { type BodyLimits, type Resource, type Route, routeFor } from "./route.js";
import type { Target } from "./router.js";

/** What the pipeline works with. */
export interface PipelineOptions {
  readonly guard: Guard;
  /** Asked about each request; `undefined` = nobody is. */
  readonly authorize: Authorize | undefined;
  readonly service: HookedService;
  readonly limits: BodyLimits;
  readonly logger: Logger;
}

/**
 * The one way from a request to an answer, whatever transport brought it: host check, origin check, preflight, API
 * key, the host's own decision, method, handler, error mapping, CORS headers, in the order of
 * docs/api.md#who-may-call-what.
 */
export type Pipeline = (target: Target, exchange: RequestContext) => Promise<HttpResponse>;

export function createPipeline({ guard, authorize, service, limits, logger }: PipelineOptions): Pipeline {
  const parameters = memoize((search) => new URLSearchParams(search));
  const serializers = {
    events: new EventSerializer(),
    results: new ResultSerializer(),
    responses: new ResponseCache(),
  };

  /** What asks nobody waits for nothing: each wait costs a heartbeat a turn. */
  function serve(
    target: Target,
    exchange: RequestContext,
    route: Route | undefined,
  ): HttpResponse | Promise<HttpResponse> {
    const resource = typeof target === "object" ? target : undefined;
    if (exchange.method === "OPTIONS") return preflightAnswer(resource, exchange);
    if (target !== "beside" && !route?.open && !guard.allowsKey(exchange.header("authorization"))) {
      throw new ActivityError("UNAUTHORIZED", "an API key is needed: send the header Authorization: Bearer <key>");
    }
    const params = decodeParams(exchange.rawParams);
    const call = (identity?: object): HttpResponse | Promise<HttpResponse> => {
      if (target === "beside") return NOTHING_BESIDE;
      if (resource === undefined) throw new ActivityError("NO_SUCH_ROUTE", "there is nothing at this path");
      if (route === undefined) {
        throw new ActivityError("METHOD_NOT_ALLOWED", `${exchange.method} is not offered here, only ${resource.allow}`);
      }
      const served = identity === undefined ? service : service.actingFor(identity);
      const query = parameters(exchange.search);
      return route.handle(exchange, { service: served, params, query, limits, guard, serializers });
    };
    if (authorize === undefined) return call();
    const asked = resource === undefined ? undefined : { path: resource.path, params };
    return identified(authorize, exchange, asked).then(call);
  }

  /** @throws ActivityError `FORBIDDEN` for an origin that may not call this */
  function checkOrigin(origin: string, target: Target, exchange: RequestContext): void {
    const standing = guard.originStanding(origin, exchange);
    const preflight = exchange.method === "OPTIONS" ? exchange.header("access-control-request-method") : undefined;
    const route = typeof target === "object" ? routeFor(target, preflight ?? exchange.method) : undefined;
    if (standing === "trusted" || (standing === "watcher" && route?.watcher)) return;
    const hint =
      standing === "watcher" ? "only the routes that a watcher needs" : "nothing; list it in `cors` to trust it";
    throw new ActivityError("FORBIDDEN", `this origin may call ${hint}`);
  }

  return async function answer(target, exchange) {
    const origin = target === "beside" ? undefined : exchange.header("origin");
    const resource = typeof target === "object" ? target : undefined;
    const route = routeFor(resource, exchange.method);
    let corsHeaders: Record<string, string> | undefined;
    let given: HttpResponse;
    try {
      if (!guard.allowsHost(exchange)) {
        throw new ActivityError("INVALID_INPUT", "the Host header names no host of this server");
      }
      if (origin !== undefined) {
        checkOrigin(origin, target, exchange);
        corsHeaders = { "access-control-allow-origin": origin, vary: "Origin" };
      }
      given = await serve(target, exchange, route);
    } catch (thrown) {
      given = errorAnswer(thrown, logger);
      if (given.status === 405 && resource !== undefined) {
        given = {
          ...given,
          headers: { ...given.headers, allow: resource.allow },
        };
      }
    }
    if (isStreamed(given.body)) given = { ...given, body: watched(given.body, logger) };
    if (corsHeaders === undefined) return given;
    const vary = given.headers["vary"] === undefined ? {} : { vary: `${given.headers["vary"]}, Origin` };
    return { ...given, headers: { ...given.headers, ...corsHeaders, ...vary } };
  };
}

/** The answer where the API has no say: a file may take its place, since the request was let pass. */
export const NOTHING_BESIDE: HttpResponse = messageAnswer(404, "there is nothing at this path");

/** What fails behind the status can only be logged: the client sees an answer that ends in the middle. */
async function* watched(pieces: AsyncIterable<Chunk>, logger: Logger): AsyncGenerator<Chunk> {
  try {
    yield* pieces;
  } catch (thrown) {
    logger.error(thrown);
    throw thrown;
  }
}

const ALLOWED_METHODS = "GET, POST, PUT, DELETE, HEAD, OPTIONS";

function preflightAnswer(resource: Resource | undefined, exchange: RequestContext): HttpResponse {
  const headers: Record<string, string> = {
    allow: resource?.allow ?? ALLOWED_METHODS,
  };
  if (exchange.header("origin") !== undefined) {
    headers["access-control-allow-methods"] = ALLOWED_METHODS;
    const asked = exchange.header("access-control-request-headers");
    if (asked !== undefined) headers["access-control-allow-headers"] = asked;
    if (exchange.header("access-control-request-private-network") === "true") {
      headers["access-control-allow-private-network"] = "true";
    }
  }
  return { status: 204, headers, body: null };
}

const NO_PARAMS: ReadonlyMap<string, string> = new Map();
/** Decoded before; the router gives the same object for the same path. */
const decodedBefore = new WeakMap<RequestContext["rawParams"], ReadonlyMap<string, string>>();

/** Decodes each segment once. @throws ActivityError `INVALID_INPUT` for one that is not UTF-8 */
function decodeParams(raw: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
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
