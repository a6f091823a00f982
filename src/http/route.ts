import { hasProperty } from "../api/codec.js";
import { BODY_LIMITS, type BodyKind, type BodyLimits } from "../api/operation.js";
import { OPERATION_LIST, type OperationId } from "../api/operations.js";
import { SCHEMA_LIST } from "../api/schemas.js";
import type { EventSerializer } from "../codec/event-serializer.js";
import type { ResultSerializer } from "../codec/serialize-results.js";
import type { Grants } from "../service/access/grants.js";
import type { Service } from "../service/service.js";
import type { RouteNeed } from "./permission.js";
import type { HttpResponse, RequestContext } from "./request-context.js";
import type { ResponseCache } from "./response-cache.js";

/** The arguments of a handler in addition to the request. */
export interface RouteContext {
  /** Acts on behalf of the caller. */
  readonly service: Service;
  /** The path below the mount point, still percent-encoded. */
  readonly path: string;
  /** Decoded path parameters by name. */
  readonly params: ReadonlyMap<string, string>;
  /** Decoded query parameters; `get` returns the first value. Requests share this object: do not change it. */
  readonly query: URLSearchParams;
  /** The limits of the request's body. */
  readonly limits: BodyLimits;
  /** The grants of the request's credentials; also for open routes. */
  callerGrants(): Promise<Grants | undefined>;
  /** Waits like a response to wrong credentials. @throws ActivityError `BUSY` if too many wait */
  slowDown(): Promise<void>;
  readonly serializers: Serializers;
  readonly handlers: Handlers<OperationId>;
}

/** Cache serialized data. */
export interface Serializers {
  readonly events: EventSerializer;
  readonly results: ResultSerializer;
  readonly responses: ResponseCache;
}

/** The embedder's limits for bodies, in bytes. */
export interface BodySizes {
  /** For all bodies except imports. */
  readonly bodyLimitBytes?: number | undefined;
  readonly importLimitBytes?: number | undefined;
}

/** The limits of a route that takes no body. */
export const NO_BODY: BodyLimits = { bytes: 0, values: 0 };

/** A method of a path: an operation of the API, or a page. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** `:name` matches one path segment. */
  readonly path: string;
  /** One line, for lists. */
  readonly summary: string;
  /** Watchers need it, so origins of browser extensions may call it (docs/reference/compatibility.md#origins). */
  readonly watcher?: boolean;
  /** Needed to request a key, so origins of any browser extension may call it (docs/reference/keys.md#pairing). */
  readonly asker?: boolean;
  /** Served without the API key (docs/reference/compatibility.md#api-key). */
  readonly open?: boolean;
  /** The grant that a caller needs if the route is not open; by default, access to the API is enough. */
  readonly needs?: RouteNeed | undefined;
  /** For its body; `undefined` if it takes none. */
  readonly limits?: BodyLimits | undefined;
  /** Whether its whole body is in memory. */
  readonly isBuffered?: boolean;
  /** Whether it only reads: its response is not sent if the credential has ended in the meantime. */
  readonly isReading?: boolean;
  /** Whether it only reads if its body requests a preview. */
  readonly hasPreview?: boolean;
  /** Whether it works on whole buckets in one step: only a few do so at a time. */
  readonly isBulk?: boolean;
  /** Whether its response lasts until the client leaves. */
  readonly isEndless?: boolean;
  readonly handle: Handler;
}

/** Runs a route: it parses, calls the service once and serializes. */
export type Handler = (request: RequestContext, context: RouteContext) => Promise<HttpResponse>;

/** Handlers of some operations, by operation name. */
export type Handlers<Ids extends OperationId> = { readonly [Id in Ids]: Handler };

/** By the limits of bodies. They are few: an embedder has one set of them. */
const operationResources: Map<string, readonly Resource[]> = new Map();

/** The resources of the API. Servers with the same limits share them; the context selects the handlers. */
export function resourcesOfApi(sizes: BodySizes): readonly Resource[] {
  const key = `${sizes.bodyLimitBytes} ${sizes.importLimitBytes}`;
  let resources = operationResources.get(key);
  if (resources === undefined) {
    resources = resourcesOf(operationRoutes(sizes));
    operationResources.set(key, resources);
  }
  return resources;
}

function operationRoutes(sizes: BodySizes): Route[] {
  return Object.entries(OPERATION_LIST).map(([name, operation]) => {
    const id = name as OperationId;
    const { method, path, summary, watcher = false, asker = false, open = false, needs, bodyKind } = operation;
    const { bulk: isBulk = false, readsOnly: isReading = method === "GET" } = operation;
    const schema = operation.body?.["application/json"]?.schema;
    const hasPreview = schema !== undefined && hasProperty(SCHEMA_LIST[schema], "preview");
    const limits = bodyKind && limitsOf(bodyKind, sizes);
    const isBuffered = bodyKind !== undefined && bodyKind !== "import";
    const handle: Handler = (request, context) => context.handlers[id](request, context);
    const isEndless = operation.answers[200]?.items !== undefined;
    const flags = { watcher, asker, open, isBuffered, isReading, hasPreview, isBulk, isEndless };
    return { method, path, summary, needs, limits, ...flags, handle };
  });
}

export function limitsOf(kind: BodyKind, { bodyLimitBytes, importLimitBytes }: BodySizes): BodyLimits {
  const { bytes, values } = BODY_LIMITS[kind];
  if (kind === "import") return { bytes: importLimitBytes ?? bytes, values };
  // A higher limit is for lists of events; the limit of a single event stays.
  if (kind === "events") return { bytes: bodyLimitBytes ?? bytes, values };
  return { bytes: Math.min(bytes, bodyLimitBytes ?? bytes), values };
}

/** All methods of one path. */
export interface Resource {
  readonly path: string;
  readonly routes: ReadonlyMap<string, Route>;
  /** Value of the `Allow` header. */
  readonly allow: string;
}

/** Groups routes by path. */
export function resourcesOf(routes: readonly Route[]): readonly Resource[] {
  const byPath = new Map<string, Map<string, Route>>();
  for (const route of routes) {
    const methods = byPath.get(route.path) ?? new Map<string, Route>();
    byPath.set(route.path, methods.set(route.method, route));
  }
  return Array.from(byPath, ([path, methods]) => ({ path, routes: methods, allow: allowOf(methods) }));
}

function allowOf(methods: ReadonlyMap<string, Route>): string {
  return [...methods.keys(), ...(methods.has("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
}

/** The route for a method: HEAD is served like GET. */
export function routeFor(resource: Resource | undefined, method: string): Route | undefined {
  return resource?.routes.get(method === "HEAD" ? "GET" : method);
}
