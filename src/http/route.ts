import { hasProperty } from "../api/codec.js";
import { BODY_LIMITS, type BodyKind, type BodyLimits, type Need } from "../api/operation.js";
import { OPERATION_LIST, type OperationId } from "../api/operations.js";
import { SCHEMA_LIST } from "../api/schemas.js";
import type { EventSerializer } from "../codec/event-serializer.js";
import type { ResultSerializer } from "../codec/serialize-results.js";
import type { Grants } from "../service/access/grants.js";
import type { Service } from "../service/service.js";
import type { HttpResponse, RequestContext } from "./request-context.js";
import type { ResponseCache } from "./response-cache.js";

/** What a handler gets besides the request. */
export interface RouteContext {
  /** On behalf of who asks. */
  readonly service: Service;
  /** The path below the place where the server is mounted, still percent-encoded. */
  readonly path: string;
  /** Decoded path parameters by name. */
  readonly params: ReadonlyMap<string, string>;
  /** Decoded query parameters; `get` gives the first value. Shared by requests, so never to be changed. */
  readonly query: URLSearchParams;
  /** Of the request's body. */
  readonly limits: BodyLimits;
  /** What the credentials open that the request came with; also of routes that are open. */
  callerGrants(): Promise<Grants | undefined>;
  /** Waits as answers to wrong credentials do. @throws ActivityError `BUSY` where too many wait */
  slowDown(): Promise<void>;
  readonly serializers: Serializers;
  readonly handlers: Handlers<OperationId>;
}

/** What caches what was serialized before. */
export interface Serializers {
  readonly events: EventSerializer;
  readonly results: ResultSerializer;
  readonly responses: ResponseCache;
}

/** Largest bodies that are read, in bytes, as the embedder wants it. */
export interface BodySizes {
  /** Of all bodies but imports. */
  readonly bodyLimitBytes?: number | undefined;
  readonly importLimitBytes?: number | undefined;
}

/** The limits of a route that takes no body. */
export const NO_BODY: BodyLimits = { bytes: 0, values: 0 };

/** One method of one path: an operation of the API, or a page beside these. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** `:name` stands for one path segment. */
  readonly path: string;
  /** One line, for lists. */
  readonly summary: string;
  /** Watchers need it, so the origins of browser extensions may call it (docs/compatibility.md#origins). */
  readonly watcher?: boolean;
  /** Whoever wants a key needs it, so origins of any browser extension may call it (docs/keys.md#pairing). */
  readonly asker?: boolean;
  /** Served without the API key (docs/compatibility.md#api-key). */
  readonly open?: boolean;
  /** What a caller needs where it is not open; left out: no more than to be let in. */
  readonly needs?: Need | undefined;
  /** Of its body; `undefined` = it takes none. */
  readonly limits?: BodyLimits | undefined;
  /** Whether its body is held in memory as a whole. */
  readonly isBuffered?: boolean;
  /** Whether it only reads: what was read for a credential that has ended is not sent. */
  readonly isReading?: boolean;
  /** Whether it only reads if its body asks for a preview. */
  readonly hasPreview?: boolean;
  /** Whether it works on whole buckets in one step: few do so at a time. */
  readonly isBulk?: boolean;
  readonly handle: Handler;
}

/** Carries out a route: it parses, calls the service once and serializes. */
export type Handler = (request: RequestContext, context: RouteContext) => Promise<HttpResponse>;

/** What carries out some operations, by their names. */
export type Handlers<Ids extends OperationId> = { readonly [Id in Ids]: Handler };

/** By the limits of bodies. They are few: an embedder has one set of them. */
const operationResources: Map<string, readonly Resource[]> = new Map();

/**
 * The resources of the API. Servers of the same limits share them: which handlers carry them out, their context tells.
 */
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
    const flags = { watcher, asker, open, isBuffered, isReading, hasPreview, isBulk };
    return { method, path, summary, needs, limits, ...flags, handle };
  });
}

function limitsOf(kind: BodyKind, { bodyLimitBytes, importLimitBytes }: BodySizes): BodyLimits {
  const { bytes, values } = BODY_LIMITS[kind];
  if (kind === "import") return { bytes: importLimitBytes ?? bytes, values };
  // An embedder who allows more means lists of events: one event does not grow with them.
  if (kind === "events") return { bytes: bodyLimitBytes ?? bytes, values };
  return { bytes: Math.min(bytes, bodyLimitBytes ?? bytes), values };
}

/** Everything that one path offers. */
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

/** The route that serves a method: HEAD is served like GET. */
export function routeFor(resource: Resource | undefined, method: string): Route | undefined {
  return resource?.routes.get(method === "HEAD" ? "GET" : method);
}
