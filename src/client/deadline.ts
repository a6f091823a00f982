import type { ErrorBody } from "./error-body.js";
import { ActivityClientError, type ClientErrorCode, type ErrorResponse, MAX_BODY_LENGTH } from "./errors.js";

/** The longest timer, about 25 days. Longer ones would fire at once. */
export const LONGEST_WAIT: number = 2 ** 31 - 1;

/** The request of a deadline, and the known part of its response. */
export interface RequestContext {
  readonly method: string;
  readonly url: string;
  /** Sent with the request, and masked in errors; empty for none. */
  readonly secret: string;
  /** From the response, once it has started. */
  head?: Pick<Response, "status" | "headers"> | undefined;
}

/** Ends a call before its response: the caller's signal, or the time limit. */
export interface Deadline {
  /** Aborts with the call, for code that takes a signal. */
  readonly signal: AbortSignal;
  readonly timeoutMillis: number;
  start(): void;
  pause(): void;
  /**
   * Waits for a promise, but no longer than the call may last: not every operation takes a signal.
   *
   * @throws ActivityClientError `ABORTED`, `TIMEOUT`
   */
  orEnd<T>(promise: Promise<T>): Promise<T>;
  close(): void;
}

/** The error of a request, with its URL at the start of the message, and the status if there is one. */
export function failure(
  code: ClientErrorCode,
  context: RequestContext,
  message: string,
  { body = "", ...details }: ErrorBody & { readonly cause?: unknown; readonly body?: string } = {},
): ActivityClientError {
  const { method, url, head } = context;
  const response = head && errorResponse(context, head, body);
  const known = { method, url, status: head?.status, ...details, response };
  return new ActivityClientError(code, `${method} ${url}: ${withoutSecret(context, message)}`, known);
}

function errorResponse(
  context: RequestContext,
  { status, headers }: Pick<Response, "status" | "headers">,
  body: string,
): ErrorResponse {
  const shown = new Headers();
  for (const [name, value] of headers) shown.append(name, withoutSecret(context, value));
  // Mask first: a cut could otherwise leave a part of the secret.
  return { status, headers: shown, body: withoutSecret(context, body).slice(0, MAX_BODY_LENGTH) };
}

/** A string from the server, which may repeat the secret. */
export function withoutSecret({ secret }: RequestContext, text: string): string {
  if (secret === "") return text;
  // Includes its JSON form.
  return text.replaceAll(secret, "***").replaceAll(JSON.stringify(secret).slice(1, -1), "***");
}

/** Starts a call. Uses its own controller, because some runtimes lack `AbortSignal.any()` and others leak it. */
export function createDeadline(
  context: RequestContext,
  timeoutMillis: number,
  outer: AbortSignal | undefined,
): Deadline {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ended: ActivityClientError | undefined;
  const waiting = new Set<(error: ActivityClientError) => void>();

  function end(error: ActivityClientError): void {
    ended ??= error;
    for (const reject of waiting) reject(error);
    controller.abort(error);
  }

  const abort = (): void => end(failure("ABORTED", context, "aborted by the caller", { cause: outer?.reason }));
  const expire = (): void => end(failure("TIMEOUT", context, `no response within ${timeoutMillis} ms`));
  const pause = (): void => clearTimeout(timer);

  if (outer?.aborted) abort();
  else outer?.addEventListener("abort", abort, { once: true });

  return {
    signal: controller.signal,
    timeoutMillis,
    start() {
      pause();
      timer = setTimeout(expire, Math.min(timeoutMillis, LONGEST_WAIT));
    },
    pause,
    // Not a race with one promise for the call: that would keep every chunk of a feed until the feed ends.
    orEnd: (promise) =>
      new Promise((resolve, reject) => {
        if (ended) reject(ended);
        waiting.add(reject);
        Promise.resolve(promise)
          .then(resolve, reject)
          .then(() => waiting.delete(reject));
      }),
    close() {
      pause();
      outer?.removeEventListener("abort", abort);
    },
  };
}
