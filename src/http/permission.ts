import { ERRORS } from "../api/errors.js";
import type { Need } from "../api/operation.js";
import { AbandonedError, ActivityError, noSuchBucket } from "../errors.js";
import { assistantGrants, type Grants } from "../service/access/grants.js";
import type { Waiting } from "../util/waiting.js";
import type { Credentials } from "./credentials.js";
import type { Chunk, RequestContext } from "./request-context.js";

/** The error for all requests whose credentials do not allow API access, whatever the reason. */
export function unauthorized(): ActivityError {
  const fault = { name: "keyNeeded", values: {} };
  return new ActivityError("UNAUTHORIZED", ERRORS.UNAUTHORIZED.message, { fault });
}

/** The need of a route: that of an operation, or `assistant`: data for assistants (docs/guides/assistants.md). */
export type RouteNeed = Need | "assistant";

/** A request to decide about. */
export interface AccessRequest {
  /** The grant that the operation needs; `undefined` if access to the API is enough. */
  readonly need: RouteNeed | undefined;
  readonly grants: Grants;
  /** Decoded path parameters. */
  readonly params: ReadonlyMap<string, string>;
  readonly credentials: Credentials;
}

/**
 * The one place that compares scopes with an operation's needs (docs/reference/access.md#what-each-operation-needs).
 * Its result never depends on which data exist. Call it after the credentials are ready.
 *
 * @throws ActivityError `NO_SUCH_BUCKET` for a bucket that the caller may not read, `FORBIDDEN`, `UNAUTHORIZED`,
 *   `NO_SUCH_ROUTE`
 */
export function checkNeed({ need, grants, params, credentials }: AccessRequest): void {
  const { standing } = grants;
  if (need === "assistant") {
    if (assistantGrants(grants) === undefined) throw lacking("assistant:categories");
    return;
  }
  if (grants.isAssistantOnly) throw new ActivityError("FORBIDDEN", "this key may only call /mcp");
  if (standing === "operator" || need === undefined || need === "listed") return;
  if (standing === "anybody") {
    if (need === "owner" || need === "operator") checkProof(need, credentials);
    return;
  }
  if (need === "admin" || need === "owner" || need === "operator") throw lacking("admin");
  const bucketId = params.get("bucketId") ?? "";
  if (grants.allows(need, bucketId)) return;
  throw need === "read" ? noSuchBucket(bucketId) : lacking(`${need}:${bucketId}`);
}

/**
 * Checks again after a wait: a credential that has ended in the meantime allows nothing more.
 *
 * @throws ActivityError `UNAUTHORIZED`, and errors of `checkNeed`
 */
export function recheckAccess(asked: AccessRequest, request: RequestContext): Waiting {
  const { need, grants, credentials } = asked;
  const check = (): undefined => {
    if (!credentials.isInForce(grants)) throw unauthorized();
    checkNeed(asked);
  };
  const waiting = credentials.ready(request, need);
  return waiting === undefined ? check() : waiting.then(check);
}

/** Chunks of a response that ends with the credential of its request. @throws AbandonedError */
export async function* whileAllowed(chunks: AsyncIterable<Chunk>, check: () => Waiting): AsyncGenerator<Chunk> {
  for await (const chunk of chunks) {
    try {
      await check();
    } catch {
      throw new AbandonedError();
    }
    yield chunk;
  }
}

/** For requests without credentials. */
function checkProof(need: "owner" | "operator", credentials: Credentials): void {
  if (need === "owner") {
    if (credentials.hasKeys()) throw unauthorized();
    return;
  }
  // Without keys, every caller may read and write, but not create credentials.
  if (credentials.isArmed()) throw unauthorized();
  throw new ActivityError("NO_SUCH_ROUTE", ERRORS.NO_SUCH_ROUTE.message);
}

function lacking(scope: string): ActivityError {
  return new ActivityError("FORBIDDEN", `this key may not do that; it needs the scope ${scope}`);
}
