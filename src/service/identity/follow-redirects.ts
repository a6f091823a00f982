import { ActivityError, noSuchBucket, quote } from "../../errors.js";
import type { Grants } from "../access/grants.js";
import type { Shared } from "../shared.js";

/** The redirects to follow, and the caller. */
export interface RedirectContext {
  readonly parts: { readonly shared: Pick<Shared, "redirects"> };
  readonly grants: Grants;
}

/**
 * Calls with the bucket that an ID resolves to, and again whenever that bucket was renamed in the meantime: a call
 * without a bucket changes nothing.
 */
export function followRedirects<Result>(
  bucketId: string,
  following: RedirectContext,
  call: (id: string) => Promise<Result>,
): Promise<Result> {
  const { redirects } = following.parts.shared;
  const waiting = redirects.ready();
  // Every heartbeat runs this: do not create unneeded functions.
  if (waiting === undefined) return attempt(bucketId, redirects.resolve(bucketId), following, call);
  return waiting.then(() => attempt(bucketId, redirects.resolve(bucketId), following, call));
}

/** @param isAgain whether this ID was tried just before */
function attempt<Result>(
  bucketId: string,
  id: string,
  following: RedirectContext,
  call: (id: string) => Promise<Result>,
  isAgain = false,
): Promise<Result> {
  return call(id).catch(async (thrown: unknown) => {
    if (!ActivityError.is(thrown)) throw thrown;
    const { redirects } = following.parts.shared;
    const now = thrown.code === "NO_SUCH_BUCKET" ? await redirects.resolveStored(bucketId) : undefined;
    // The bucket may have been renamed and have its ID again.
    const isBack = now === id && !isAgain && (await redirects.isTarget(id));
    if (now === undefined || (now === id && !isBack)) throw refusalFor(bucketId, id, following.grants, thrown);
    return attempt(bucketId, now, following, call, isBack);
  });
}

/** Words an error for a caller who named one bucket and may not know the other one. */
function refusalFor(bucketId: string, id: string, { view, allows }: Grants, thrown: ActivityError): ActivityError {
  if (id === bucketId || (view?.sees(id) ?? true) || allows("append", id)) return thrown;
  if (thrown.code === "NO_SUCH_BUCKET") return noSuchBucket(bucketId);
  if (thrown.code !== "FORBIDDEN") return thrown;
  return new ActivityError("FORBIDDEN", `bucket ${quote(bucketId)} does not accept this change from this key`);
}
