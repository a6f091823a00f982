import { backOff, delay } from "./back-off.js";
import { type Deadline, LONGEST_WAIT } from "./deadline.js";
import { isActivityClientError, isTransient } from "./errors.js";

/**
 * Tries until a try succeeds, fails permanently, or the retries are used up. Waits in between use the time of the call;
 * a wait that exceeds it is skipped.
 *
 * @throws the error of the last try
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

/** Milliseconds until the next try: the server's request, else a back-off. `undefined` = no further try. */
function retryMillis(error: unknown, attempt: number): number | undefined {
  if (!isTransient(error) || !isActivityClientError(error) || error.code === "TIMEOUT") return undefined;
  return retryAfterMillis(error) ?? backOff(attempt);
}

/** Milliseconds to wait according to the header Retry-After; `undefined` without it. */
export function retryAfterMillis(error: unknown): number | undefined {
  if (!isActivityClientError(error)) return undefined;
  const asked = error.response?.headers.get("retry-after") ?? "";
  // A value without a month is not a date, although `Date.parse` may accept it.
  const date = /[a-z]/i.test(asked) ? Date.parse(asked) : NaN;
  const millis = /^\d+$/.test(asked) ? Number(asked) * 1000 : date - Date.now();
  return millis > 0 ? Math.min(millis, LONGEST_WAIT) : undefined;
}
