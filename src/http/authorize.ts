import { ActivityError } from "../errors.js";
import type { Identity } from "../service/hooks.js";
import type { HostRequest, RequestContext } from "./request-context.js";

/**
 * A request, as the host is asked about it: besides the fields below, `node` is the request of Node, with whatever the
 * host's middleware has put on it (a session, a user), or `web` the very object that `fetch` was called with.
 */
export interface AccessRequest extends HostRequest {
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
  /** A header by its name, in any case; `undefined` when it is missing. */
  header(name: string): string | undefined;
}

/**
 * What a host says about a request: `true` or `"allow"`; `false`, `"deny"` or nothing at all to answer 403; or an
 * object that says who it is, which allows it and is passed on to hooks and listeners.
 */
export type Verdict = boolean | "allow" | "deny" | Identity | null | undefined;

/**
 * Lets the host decide about a request. May throw an `ActivityError` to refuse in another way, e.g. `UNAUTHORIZED` for
 * 401; whatever else it throws answers 500 and is logged.
 */
export type Authorize = (request: AccessRequest) => Verdict | Promise<Verdict>;

/**
 * Asks the host.
 *
 * @returns who it is, when the host says so
 * @throws ActivityError `FORBIDDEN` when the host denies
 */
export async function identified(
  authorize: Authorize,
  request: RequestContext,
  asked: Asked,
): Promise<Identity | undefined> {
  const verdict = await authorize(accessRequest(request, asked));
  if (verdict === true || verdict === "allow") return undefined;
  // What says nothing clear is no permission.
  if (verdict === false || verdict === "deny" || verdict === null || verdict === undefined) {
    throw new ActivityError("FORBIDDEN", "the host of this server does not allow this request");
  }
  if (typeof verdict === "object" && !isMistaken(verdict)) return verdict;
  const answered = typeof verdict === "object" ? (verdict.constructor?.name ?? "an object") : String(verdict);
  throw new TypeError(`authorize answered ${answered}; allow, deny or an object that says who it is are expected`);
}

/** What a path leads to. */
export interface Asked {
  /** Below the place where the server is mounted. */
  readonly path: string;
  /** The path of the route with `:name` for each parameter; `undefined` when there is none. */
  readonly route: string | undefined;
  /** Decoded. */
  readonly params: ReadonlyMap<string, string>;
}

function accessRequest(request: RequestContext, { path, route, params }: Asked): AccessRequest {
  const { method, host } = request;
  const spelt = route?.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params.get(name) ?? ""));
  return {
    ...host,
    method,
    path: spelt ?? (path.replace(/\/+$/, "") || "/"),
    route,
    bucketId: params.get("bucketId"),
    header: (name) => request.header(name.toLowerCase()),
  };
}

/** Lists, errors and responses say something, but not who somebody is. By their shape: they may be of another realm. */
function isMistaken(verdict: object): boolean {
  return (
    Array.isArray(verdict) ||
    ("stack" in verdict && "message" in verdict) ||
    ("status" in verdict && "headers" in verdict)
  );
}
