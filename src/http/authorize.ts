import { ActivityError } from "../errors.js";
import type { Caller } from "../service/access/grants.js";
import { afterPolling } from "../util/time-slice.js";
import type { Waiting } from "../util/waiting.js";
import type { HostRequest, RequestContext } from "./request-context.js";

/**
 * A request, as the embedder is asked about it: besides the fields below, `node` is the request of Node, or `web` the
 * very object that `fetch` was called with.
 *
 * @typeParam Context what your app passes with requests
 */
export interface AccessRequest<Context = unknown> extends HostRequest {
  /** What your app passed with the request: `nodeHandler(req, res, { context })`; `undefined` if it passed nothing. */
  readonly context: Context | undefined;
  /** Upper case. */
  readonly method: string;
  /**
   * The path below the place where the server is mounted, in one spelling whatever way it was asked for: `/api/0/...`
   * for all of the API, no slash at the end, parameters percent-encoded as `encodeURIComponent` does.
   */
  readonly path: string;
  /** The route that it leads to, such as `/api/0/buckets/:bucketId/events`; `undefined` where there is none. */
  readonly route: string | undefined;
  /** The bucket that the path names, decoded. */
  readonly bucketId: string | undefined;
  /** The key that the request came with; `undefined` without one, and for routes that need none. */
  readonly key: { readonly name: string } | undefined;
  /** The session of a signed-in page that the request came with, likewise. */
  readonly session: { readonly id: string } | undefined;
  /** A header by its name, in any case; `undefined` when it is missing. */
  header(name: string): string | undefined;
}

/** Marks decisions; of the registry, because the ESM and the CommonJS build can meet in one process. */
const DECISION: unique symbol = Symbol.for("activity-server.access-decision");

/** The request goes on. Made by `allow()`. */
export interface Allowed<Identity extends object> {
  readonly [DECISION]: "allow";
  /** Who asks; passed on to hooks and listeners. */
  readonly identity: Identity | undefined;
}

/** The request is answered with 403. Made by `deny()`. */
export interface Denied {
  readonly [DECISION]: "deny";
  readonly message: string;
}

/** What `authorize` answers: `allow()`, `allow(identity)` or `deny()`, and nothing else. */
export type AccessDecision<Identity extends object = object> = Allowed<Identity> | Denied;

/**
 * Lets the request go on.
 *
 * @param identity says who asks: any object, passed on to hooks and listeners as it is
 * @throws TypeError for an identity that is no object
 */
export function allow(): Allowed<never>;
export function allow<Identity extends object>(identity: Identity): Allowed<Identity>;
export function allow(...given: readonly object[]): Allowed<object> {
  const [identity] = given;
  if (given.length > 0 && (typeof identity !== "object" || identity === null)) {
    throw new TypeError(
      `allow was given ${described(identity)}; an object that says who asks, or nothing, is expected`,
    );
  }
  return { [DECISION]: "allow", identity };
}

/** Refuses the request with 403. @param message what the client is told */
export function deny(message: string = "the program around this server does not allow this request"): Denied {
  return { [DECISION]: "deny", message };
}

/**
 * Lets the embedder decide about a request. May throw an `ActivityError` to refuse in another way, e.g. `UNAUTHORIZED`
 * for 401; whatever else it throws or answers makes 500 and is logged.
 */
export type Authorize<Identity extends object = object, Context = unknown> = (
  request: AccessRequest<Context>,
) => AccessDecision<Identity> | Promise<AccessDecision<Identity>>;

/**
 * Asks the embedder.
 *
 * @returns who it is, when the embedder says so
 * @throws ActivityError `FORBIDDEN` when the embedder denies; TypeError when it answers no decision
 */
export async function identified(
  authorize: Authorize<object, never>,
  request: RequestContext,
  asked: Destination,
): Promise<object | undefined> {
  const decision: unknown = await authorize(accessRequest(request, asked));
  if (!isDecision(decision)) {
    throw new TypeError(`authorize answered ${described(decision)}; allow(), allow(identity) or deny() is expected`);
  }
  if (decision[DECISION] === "deny") throw new ActivityError("FORBIDDEN", decision.message);
  return decision.identity;
}

/**
 * Asks the embedder again after a wait, when what else has to be right is. What waits for no turn of the event loop, as
 * a body that comes with its head, asks nothing.
 */
export function afterTurn(ask: () => Promise<unknown>): (recheck: () => Waiting) => Promise<void> {
  let isLater = false;
  afterPolling(() => {
    isLater = true;
  });
  return async (recheck) => {
    await recheck();
    if (isLater) await ask();
  };
}

function isDecision(value: unknown): value is AccessDecision {
  return typeof value === "object" && value !== null && DECISION in value;
}

/** Names what is wrong without telling what is in it: an identity is nobody's business but the embedder's. */
function described(value: unknown): string {
  if (typeof value === "function") return `the function ${value.name}`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? String(value);
  return Array.isArray(value) ? "a list" : `an object with ${Object.keys(value).join(", ") || "nothing in it"}`;
}

/** What a path leads to. */
export interface Destination {
  /** Below the place where the server is mounted. */
  readonly path: string;
  /** The path of the route with `:name` for each parameter; `undefined` when there is none. */
  readonly route: string | undefined;
  /** Decoded. */
  readonly params: ReadonlyMap<string, string>;
  readonly caller: Caller | undefined;
}

function accessRequest(request: RequestContext, { path, route, params, caller }: Destination): AccessRequest<never> {
  const { method, host } = request;
  const spelt = route?.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params.get(name) ?? ""));
  return {
    ...host,
    // The embedder's types say what this is.
    context: request.context as undefined,
    method,
    path: spelt ?? (path.replace(/\/+$/, "") || "/"),
    route,
    bucketId: params.get("bucketId"),
    key: caller?.kind === "key" ? { name: caller.name } : undefined,
    session: caller?.kind === "session" ? { id: caller.id } : undefined,
    header: (name) => request.header(name.toLowerCase()),
  };
}
