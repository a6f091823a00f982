import { ERRORS } from "../api/errors.js";
import type { Need } from "../api/operation.js";
import { AbandonedError, ActivityError, noSuchBucket } from "../errors.js";
import type { Grants } from "../service/access/grants.js";
import type { Credentials } from "./credentials.js";
import type { Chunk } from "./request-context.js";

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
}

/**
 * The one place where scopes are compared with what an operation needs (docs/keys.md#what-each-operation-needs). What
 * it answers never depends on what exists.
 *
 * @returns a promise only where it has to be known whether there are keys
 * @throws ActivityError `NO_SUCH_BUCKET` for a bucket that the caller may not read, `FORBIDDEN`, `UNAUTHORIZED`,
 *   `NO_SUCH_ROUTE`
 */
export function checkNeed({ need, grants, params }: AccessRequest, credentials: Credentials): void | Promise<void> {
  const { standing } = grants;
  if (standing === "operator" || need === undefined || need === "listed") return undefined;
  if (standing === "anybody")
    return need === "owner" || need === "operator" ? checkProof(need, credentials) : undefined;
  if (need === "admin" || need === "owner" || need === "operator") throw lacking("admin");
  const bucketId = params.get("bucketId") ?? "";
  if (grants.allows(need, bucketId)) return undefined;
  throw need === "read" ? noSuchBucket(bucketId) : lacking(`${need}:${bucketId}`);
}

/**
 * Compares again after a wait: a credential that has ended in the meantime opens nothing more.
 *
 * @throws ActivityError `UNAUTHORIZED`, and what `checkNeed` throws
 */
export function recheckAccess(asked: AccessRequest, credentials: Credentials): void | Promise<void> {
  const check = (isInForce: boolean): void | Promise<void> => {
    if (!isInForce) throw unauthorized();
    return checkNeed(asked, credentials);
  };
  const isInForce = credentials.isInForce(asked.grants);
  return typeof isInForce === "boolean" ? check(isInForce) : isInForce.then(check);
}

/** Chunks of a response, which ends with the credential of its request. @throws AbandonedError */
export async function* whileAllowed(
  chunks: AsyncIterable<Chunk>,
  check: () => void | Promise<void>,
): AsyncGenerator<Chunk> {
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
async function checkProof(need: "owner" | "operator", credentials: Credentials): Promise<void> {
  if (need === "owner") {
    if (await credentials.hasKeys()) throw unauthorized();
    return;
  }
  // Without a key everybody may read and write, but not what hands out more than that.
  if (await credentials.isArmed()) throw unauthorized();
  throw new ActivityError("NO_SUCH_ROUTE", ERRORS.NO_SUCH_ROUTE.message);
}

function lacking(scope: string): ActivityError {
  return new ActivityError("FORBIDDEN", `this key may not do that; it needs the scope ${scope}`);
}
