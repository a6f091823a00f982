import type { ErrorBody } from "./error-body.js";
import { ActivityClientError, type ClientErrorCode, type ErrorResponse, MOST_BODY_LENGTH } from "./errors.js";

/** The longest that timers can wait, about 25 days; beyond it they would fire at once. */
export const LONGEST_WAIT: number = 2 ** 31 - 1;

/** The request that a deadline belongs to, and what is known of its response. */
export interface RequestContext {
  readonly method: string;
  readonly url: string;
  /** Goes with the request, and into no error; empty for none. */
  readonly secret: string;
  /** Of the response, once it has begun. */
  head?: Pick<Response, "status" | "headers"> | undefined;
}

/** What ends a call before its response does: the caller's signal, or the time. */
export interface Deadline {
  /** Aborts with the call; for those who watch such a signal. */
  readonly signal: AbortSignal;
  /** How long the call may last. */
  readonly timeoutMillis: number;
  /** Lets the time run, from the beginning. */
  start(): void;
  /** Lets no time pass until the next `start()`. */
  pause(): void;
  /**
   * Waits for a promise, but not longer than the call may last: not everything that is waited for watches the signal.
   *
   * @throws ActivityClientError `ABORTED`, `TIMEOUT`
   */
  orEnd<T>(promise: Promise<T>): Promise<T>;
  /** Lets go of timer and signal. */
  close(): void;
}

/** The error of a request, with where it went in front of its message, and the status if there is one. */
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
  // Masked first, so that the end cannot leave a part of the secret.
  return { status, headers: shown, body: withoutSecret(context, body).slice(0, MOST_BODY_LENGTH) };
}

/** A text of the server's, which may repeat what it was sent. */
export function withoutSecret({ secret }: RequestContext, text: string): string {
  if (secret === "") return text;
  // Also as JSON has it.
  return text.replaceAll(secret, "***").replaceAll(JSON.stringify(secret).slice(1, -1), "***");
}

/** Begins a call. A controller of its own instead of `AbortSignal.any()`, which some runtimes lack and others leak. */
export function createDeadline(
  context: RequestContext,
  timeoutMillis: number,
  outer: AbortSignal | undefined,
): Deadline {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reject: (error: ActivityClientError) => void;
  const ended = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  // It may end when nobody waits.
  ended.catch(() => {});

  function end(error: ActivityClientError): void {
    reject(error);
    controller.abort(error);
  }

  function abort(): void {
    end(failure("ABORTED", context, "aborted by the caller", { cause: outer?.reason }));
  }

  function pause(): void {
    clearTimeout(timer);
  }

  if (outer?.aborted) abort();
  else outer?.addEventListener("abort", abort, { once: true });

  return {
    signal: controller.signal,
    timeoutMillis,
    start() {
      pause();
      timer = setTimeout(
        () => end(failure("TIMEOUT", context, `no response within ${timeoutMillis} ms`)),
        Math.min(timeoutMillis, LONGEST_WAIT),
      );
    },
    pause,
    orEnd: (promise) => Promise.race([ended, promise]),
    close() {
      pause();
      outer?.removeEventListener("abort", abort);
    },
  };
}
