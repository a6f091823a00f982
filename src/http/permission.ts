import { ERRORS } from "../api/errors.js";
import type { Need } from "../api/operation.js";
import { AbandonedError, ActivityError, noSuchBucket } from "../errors.js";
import type { Grants } from "../service/access/grants.js";
import type { Waiting } from "../util/waiting.js";
import type { Credentials } from "./credentials.js";
import type { Chunk, RequestContext } from "./request-context.js";

/** The error of every request whose credentials do not open the API, whatever is wrong with them. */
export function unauthorized(): ActivityError {
  const fault = { name: "keyNeeded", values: {} };
  return new ActivityError("UNAUTHORIZED", ERRORS.UNAUTHORIZED.message, { fault });
}

/** A request that is to be decided about. */
export interface AccessRequest {
  /** What the operation needs; `undefined` = no more than to be let in. */
  readonly need: Need | undefined;
  readonly grants: Grants;
  /** Decoded path parameters. */
  readonly params: ReadonlyMap<string, string>;
  readonly credentials: Credentials;
}

/**
 * The one place where scopes are compared with what an operation needs (docs/keys.md#what-each-operation-needs). What
 * it answers never depends on what exists. For callers that have waited for the credentials.
 *
 * @throws ActivityError `NO_SUCH_BUCKET` for a bucket that the caller may not read, `FORBIDDEN`, `UNAUTHORIZED`,
 *   `NO_SUCH_ROUTE`
 */
export function checkNeed({ need, grants, params, credentials }: AccessRequest): void {
  const { standing } = grants;
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
 * Compares again after a wait: a credential that has ended in the meantime opens nothing more.
 *
 * @throws ActivityError `UNAUTHORIZED`, and what `checkNeed` throws
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

/** Chunks of a response, which ends with the credential of its request. @throws AbandonedError */
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

/** For who has brought no credentials. */
function checkProof(need: "owner" | "operator", credentials: Credentials): void {
  if (need === "owner") {
    if (credentials.hasKeys()) throw unauthorized();
    return;
  }
  // Without a key everybody may read and write, but not what hands out more than that.
  if (credentials.isArmed()) throw unauthorized();
  throw new ActivityError("NO_SUCH_ROUTE", ERRORS.NO_SUCH_ROUTE.message);
}

function lacking(scope: string): ActivityError {
  return new ActivityError("FORBIDDEN", `this key may not do that; it needs the scope ${scope}`);
}
