import { ActivityError, hasCode } from "../errors.js";

/** Maximum number of attempts while other writes interfere. */
const MAX_TRIES = 20;

/** Thrown by an attempt that has changed nothing because the stored data no longer match its plan. */
export class ConcurrentChange extends Error {}

/**
 * Repeats an attempt that reads stored data and then changes them, until no other write interferes.
 *
 * @param attempt throws `ConcurrentChange` if the data have changed
 * @throws ActivityError `CONFLICT` if that happens too often
 */
export async function retryOnChange<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!(thrown instanceof ConcurrentChange)) throw thrown;
    }
  }
  throw new ActivityError("CONFLICT", "other writes interfered repeatedly; nothing was changed, try again");
}

/** Waits for work; throws `ConcurrentChange` if a bucket is missing that existed before. */
export async function missingBucketAsChange<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (thrown) {
    throw hasCode(thrown, "NO_SUCH_BUCKET") ? new ConcurrentChange() : thrown;
  }
}
