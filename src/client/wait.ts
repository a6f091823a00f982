import { backOff, delay } from "./back-off.js";
import type { ActivityClient, CallOptions } from "./client-types.js";
import { isTransient } from "./errors.js";
import type { ServerInfo } from "./index.js";

export interface WaitOptions extends CallOptions {
  /** Called before each wait with the error and the wait in milliseconds. @default none */
  readonly onRetry?: ((error: unknown, waitMillis: number) => void) | undefined;
}

/**
 * Waits until a server responds, however long that takes, with growing pauses. The signal ends it.
 *
 * @returns information about the server
 * @throws ActivityClientError `ABORTED`; `REFUSED` and `MALFORMED_RESPONSE` if another program responds
 */
export async function waitForServer(
  client: Pick<ActivityClient, "info">,
  { onRetry, ...options }: WaitOptions = {},
): Promise<ServerInfo> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await client.info({ ...options, retries: 0 });
    } catch (error) {
      if (!isTransient(error)) throw error;
      const millis = backOff(attempt);
      onRetry?.(error, millis);
      await delay(millis, options.signal);
    }
  }
}
