import type { Fault } from "../domain/fault.js";

/**
 * All ways in which a call can fail.
 *
 * | code | meaning |
 * |---|---|
 * | `REFUSED` | the response has a status of 400 or more; see `status` and `serverMessage` |
 * | `UNREACHABLE` | no complete response: refused, no such host, cut off; the request may have run |
 * | `TIMEOUT` | no complete response in time; the request may have run |
 * | `ABORTED` | the caller's signal ended the call; the request may have run |
 * | `MALFORMED_RESPONSE` | the response does not match this API: not JSON, another schema, a redirect |
 * | `INVALID_INPUT` | nothing was sent, because the arguments are invalid |
 * | `HOOK_FAILED` | your `headers`, `onRequest` or `onResponse` failed; `cause` is its error |
 */
export type ClientErrorCode =
  | "REFUSED"
  | "UNREACHABLE"
  | "TIMEOUT"
  | "ABORTED"
  | "MALFORMED_RESPONSE"
  | "INVALID_INPUT"
  | "HOOK_FAILED";

/** Longest body in an error, in characters. */
export const MAX_BODY_LENGTH = 65_536;

/** The response of an error. The API key is masked. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The start of the body, as far as it was read: at most 65,536 characters. */
  readonly body: string;
}

/** Facts about a failed call. */
export type ClientErrorDetails = {
  readonly [Name in Exclude<keyof ActivityClientError, keyof Error | "code"> | "cause"]?: ActivityClientError[Name];
};

/**
 * A failed call of a client, with a code to branch on and a message that names method and URL. If a server repeats the
 * API key, `message` and `serverMessage` mask it.
 */
export class ActivityClientError extends Error {
  readonly code: ClientErrorCode;
  /** Method of the request; `undefined` if no request was created. */
  readonly method: string | undefined;
  /** The URL of the request with its query, but never with the API key. */
  readonly url: string | undefined;
  /** Status of the response, complete or not; `undefined` without one, 0 for a redirect that a browser hides. */
  readonly status: number | undefined;
  /** The `message` of the error response; `undefined` if it does not match this API, such as a proxy's page. */
  readonly serverMessage: string | undefined;
  /** The `type` of the error response: `Vetoed` if a hook refused, or the kind of a query error. */
  readonly serverType: string | undefined;
  /** The `code` of the error response, such as `NO_SUCH_BUCKET`. */
  readonly serverCode: string | undefined;
  /** The exact mistake and its position, if the error response contains them. */
  readonly fault: Fault | undefined;
  /** The response, as far as it has arrived; `undefined` without one. */
  readonly response: ErrorResponse | undefined;

  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    super(message, details);
    Object.assign(this, details);
    this.name = "ActivityClientError";
    this.code = code;
  }
}

/** The other fields of a failure, by its code. */
export type ClientFailure = ActivityClientError &
  (
    | { readonly code: "REFUSED" | "MALFORMED_RESPONSE"; readonly status: number }
    | { readonly code: "UNREACHABLE" | "TIMEOUT" | "ABORTED" | "INVALID_INPUT" | "HOOK_FAILED" }
  );

/** Compares the name, because the ESM and the CommonJS build can meet in one process. */
export function isActivityClientError(value: unknown): value is ClientFailure {
  return value instanceof Error && value.name === "ActivityClientError" && "code" in value;
}

/** Temporary statuses of servers and proxies. */
const PASSING: readonly number[] = [408, 425, 429, 500, 502, 503, 504];

/** Whether the same call may succeed later without a change: the server is down, starting or overloaded. */
export function isTransient(value: unknown): boolean {
  if (!isActivityClientError(value)) return false;
  if (value.code === "REFUSED") return PASSING.includes(value.status);
  return value.code === "UNREACHABLE" || value.code === "TIMEOUT";
}
