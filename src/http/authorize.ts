import { ActivityError } from "../errors.js";
import type { Caller } from "../service/access/grants.js";
import { afterPolling } from "../util/time-slice.js";
import type { Waiting } from "../util/waiting.js";
import type { HostRequest, RequestContext } from "./request-context.js";

/**
 * A request, as passed to the `authorize` hook. In addition to these fields, `node` is the Node request, or `web` the
 * object that `fetch` was called with.
 *
 * @typeParam Context what your app passes with requests
 */
export interface AccessRequest<Context = unknown> extends HostRequest {
  /** What your app passed with the request: `nodeHandler(req, res, { context })`; `undefined` if it passed nothing. */
  readonly context: Context | undefined;
  /** Upper case. */
  readonly method: string;
  /**
   * The path below the mount point, always in the same spelling: `/api/0/...` for the whole API, no slash at the end,
   * parameters percent-encoded as by `encodeURIComponent`.
   */
  readonly path: string;
  /** The matching route, such as `/api/0/buckets/:bucketId/events`; `undefined` if none matches. */
  readonly route: string | undefined;
  /** The bucket in the path, decoded. */
  readonly bucketId: string | undefined;
  /** The key of the request; `undefined` without one, and for routes that need none. */
  readonly key: { readonly name: string } | undefined;
  /** The session of a signed-in page; `undefined` like `key`. */
  readonly session: { readonly id: string } | undefined;
  /** A header by its name, in any case; `undefined` when it is missing. */
  header(name: string): string | undefined;
}

/** Marks decisions. A registered symbol, because the ESM and the CommonJS build can meet in one process. */
const DECISION: unique symbol = Symbol.for("activity-server.access-decision");

/** The request continues. Created by `allow()`. */
export interface Allowed<Identity extends object> {
  readonly [DECISION]: "allow";
  /** The caller; passed on to hooks and listeners. */
  readonly identity: Identity | undefined;
}

/** The response is 403. Created by `deny()`. */
export interface Denied {
  readonly [DECISION]: "deny";
  readonly message: string;
}

/** The result of `authorize`: `allow()`, `allow(identity)` or `deny()`. */
export type AccessDecision<Identity extends object = object> = Allowed<Identity> | Denied;

/**
 * Allows the request.
 *
 * @param identity the caller: any object, passed on unchanged to hooks and listeners
 * @throws TypeError for an identity that is not an object
 */
export function allow(): Allowed<never>;
export function allow<Identity extends object>(identity: Identity): Allowed<Identity>;
export function allow(...given: readonly object[]): Allowed<object> {
  const [identity] = given;
  if (given.length > 0 && (typeof identity !== "object" || identity === null)) {
    throw new TypeError(
      `the identity of allow() must be an object that describes the caller, got ${described(identity)}`,
    );
  }
  return { [DECISION]: "allow", identity };
}

/** Refuses the request with 403. @param message for the client */
export function deny(message: string = "the program around this server does not allow this request"): Denied {
  return { [DECISION]: "deny", message };
}

/**
 * Your hook that decides about a request. It may throw an `ActivityError` for another refusal, e.g. `UNAUTHORIZED` for
 * 401. Any other error or result becomes 500 and is logged.
 */
export type Authorize<Identity extends object = object, Context = unknown> = (
  request: AccessRequest<Context>,
) => AccessDecision<Identity> | Promise<AccessDecision<Identity>>;

/**
 * Runs the `authorize` hook.
 *
 * @returns the identity that it passed to `allow()`, if any
 * @throws ActivityError `FORBIDDEN` if it denies; TypeError if it returns no decision
 */
export async function runAuthorizeHook(
  authorize: Authorize<object, never>,
  request: RequestContext,
  asked: Destination,
): Promise<object | undefined> {
  const decision: unknown = await authorize(accessRequest(request, asked));
  if (!isDecision(decision)) {
    throw new TypeError(`authorize must return allow(), allow(identity) or deny(), got ${described(decision)}`);
  }
  if (decision[DECISION] === "deny") throw new ActivityError("FORBIDDEN", decision.message);
  return decision.identity;
}

/**
 * Runs the hook again after a wait, once all other checks have passed. Without a wait, as for a body that arrives with
 * its head, the hook does not run again.
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

/** Describes the mistake without the contents: an identity is private to the embedder. */
function described(value: unknown): string {
  if (typeof value === "function") return `the function ${value.name}`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? String(value);
  return Array.isArray(value) ? "a list" : `an object with ${Object.keys(value).join(", ") || "nothing in it"}`;
}

/** The route of a path. */
export interface Destination {
  /** Below the mount point. */
  readonly path: string;
  /** The route's path with `:name` for each parameter; `undefined` if no route matches. */
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
    // The embedder's types define the context.
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
