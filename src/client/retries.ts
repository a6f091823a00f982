import { backOff, delay } from "./back-off.js";
import { type Deadline, LONGEST_WAIT } from "./deadline.js";
import { isActivityClientError, isTransient } from "./errors.js";

/**
 * Tries until a try succeeds, fails for good, or there were enough of them. The waits in between count against the time
 * of the call; one that would take longer than that is not begun.
 *
 * @throws whatever the last try threw
 */
export async function withRetries<T>(
  { deadline, retries }: { readonly deadline: Deadline; readonly retries: number },
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failed = 0; ; failed++) {
    try {
      return await attempt();
    } catch (error) {
      const millis = failed < retries ? retryMillis(error, failed) : undefined;
      if (millis === undefined || millis >= deadline.timeoutMillis) throw error;
      await deadline.orEnd(delay(millis, deadline.signal));
    }
  }
}

/** Milliseconds until the next try: what the server asks for, else a back-off. `undefined` = no further try. */
function retryMillis(error: unknown, attempt: number): number | undefined {
  if (!isTransient(error) || !isActivityClientError(error) || error.code === "TIMEOUT") return undefined;
  return retryAfterMillis(error) ?? backOff(attempt);
}

/** Milliseconds that the server asks a client to wait, by the header Retry-After; `undefined` if it does not. */
export function retryAfterMillis(error: unknown): number | undefined {
  if (!isActivityClientError(error)) return undefined;
  const asked = error.response?.headers.get("retry-after") ?? "";
  // What is no number and has no month in it is no date either, although it can be read as one.
  const date = /[a-z]/i.test(asked) ? Date.parse(asked) : Number.NaN;
  const millis = /^\d+$/.test(asked) ? Number(asked) * 1000 : date - Date.now();
  return millis > 0 ? Math.min(millis, LONGEST_WAIT) : undefined;
}
