import { ActivityError, hasCode } from "../errors.js";

/** Tries of work that others change the ground of. */
const MOST_TRIES = 20;

/** Thrown by an attempt that has changed nothing, since what it was planned for is no longer what is stored. */
export class ChangedMeanwhile extends Error {}

/**
 * Repeats an attempt that looks at what is stored and changes it then, until nothing comes between.
 *
 * @param attempt throws `ChangedMeanwhile` when something did
 * @throws ActivityError `CONFLICT` when it does so again and again
 */
export async function retrying<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!(thrown instanceof ChangedMeanwhile)) throw thrown;
    }
  }
  throw new ActivityError("CONFLICT", "others made changes again and again; nothing was changed, try again");
}

/** Waits for work; `ChangedMeanwhile` when it misses a bucket that was there before. */
export async function missingIsChange<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (thrown) {
    throw hasCode(thrown, "NO_SUCH_BUCKET") ? new ChangedMeanwhile() : thrown;
  }
}
